"""Print the circles of the house: python3 circles.py SOURCE-FOLDER BUILD-FOLDER [--most N].

A circle is a set of files each of which uses a symbol of another one, directly or through others, and is used by it: a strongly
connected component of the files by the symbols of their objects. A reader of one of its files must know all of them. Exit status 1
with --most N if there are more than N.
SPDX-License-Identifier: GPL-3.0-or-later"""

import argparse
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from test_floors import objects, symbols  # noqa: E402


def arrows(root, build):
    """For each file the files that define what it uses, each with the symbols."""
    names, paths = zip(*objects(root, build))
    table = dict(zip(names, symbols(list(paths))))
    home = {symbol: name for name, (defined, _) in table.items() for symbol in defined}
    result = {name: {} for name in names}
    for name, (_, used) in table.items():
        for symbol in sorted(used & home.keys()):
            if home[symbol] != name:
                result[name].setdefault(home[symbol], []).append(symbol)
    return result


def circles(graph):
    """Strongly connected components of more than one file, largest first (Tarjan's method, without recursion)."""
    index, low, stack, on_stack, found = {}, {}, [], set(), []
    for root in graph:
        work = [(root, iter(graph[root]))] if root not in index else []
        while work:
            node, others = work[-1]
            if node not in index:
                index[node] = low[node] = len(index)
                stack.append(node)
                on_stack.add(node)
            for other in others:
                if other not in index:
                    work.append((other, iter(graph[other])))
                    break
                if other in on_stack:
                    low[node] = min(low[node], index[other])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[node])
                if low[node] == index[node]:
                    component = []
                    while not component or component[-1] != node:
                        component.append(stack.pop())
                        on_stack.discard(component[-1])
                    if len(component) > 1:
                        found.append(sorted(component))
    return sorted(found, key=lambda circle: (-len(circle), circle))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("root", type=pathlib.Path)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--most", type=int)
    parser.add_argument("--arrows", action="store_true", help="print the symbols too")
    given = parser.parse_args()
    graph = arrows(given.root, given.build)
    found = circles(graph)
    for circle in found:
        print(f"{len(circle)} files: {' '.join(circle)}")
        for name in circle if given.arrows else ():
            for other in circle:
                if other in graph[name]:
                    print(f"    {name} -> {other}: {' '.join(graph[name][other])}")
    print(f"{len(found)} circles in {len(graph)} files")
    return 1 if given.most is not None and len(found) > given.most else 0


if __name__ == "__main__":
    sys.exit(main())
