"""Nodes of curves in the tables of a lesson's page, as experiments/extra/lesson/lesson_pack.h says.
SPDX-License-Identifier: GPL-3.0-or-later"""

DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"


def unpack(text, columns):
    """The nodes of a packed curve, [t, x0, x1, ...], in steps."""
    digits, nodes = map(DIGITS.index, text), [[0] * columns] * 2
    for first in digits:
        (before, last), node = nodes[-2:], []
        span = last[0] - before[0]
        for j in range(columns):
            first = first if j == 0 else next(digits)
            step = span if j == 0 else (last[j] - before[j]) * (node[0] - last[0]) / span if span > 0 else 0
            node.append(last[j] + int(step) + first - 31 if first < 63 else 64 * next(digits) + next(digits))
        nodes.append(node)
    return nodes[2:]
