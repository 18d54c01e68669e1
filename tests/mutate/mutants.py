"""Small wrongs for C sources: comparisons, signs, constants, statements that are left out.

SPDX-License-Identifier: GPL-3.0-or-later
"""
import collections
import re

Mutant = collections.namedtuple("Mutant", "file line column kind old new")

COMPARISONS = {"<=": "<", ">=": ">", "==": "!=", "!=": "==", "&&": "||", "||": "&&", "<": "<=", ">": ">="}
SIGNS = {"+=": "-=", "-=": "+=", "+": "-", "-": "+", "*": "/", "/": "*"}
# operators between blanks, as clang-format writes binary ones
OPERATOR = re.compile(r"(?<= )(<=|>=|==|!=|&&|\|\||\+=|-=|<|>|\+|-|\*|/)(?= )")
NUMBER = re.compile(r"(?<![\w.\[])(\d+\.?\d*(?:e[-+]?\d+)?)(?![\w.\]])")
PLACE = r"\*?[a-z]\w*(?:(?:->|\.)\w+|\[[^][;=]*\])*"
STATEMENT = re.compile(r"^(\s+)(" + PLACE + r" [-+*/|&]?= [^;{}]*;|[a-z]\w*\([^;{}]*\);)$")
NOT_A_STATEMENT = re.compile(r"^\s*(return|free|fclose|assert|static|const|else|if|for|while|dls_error_|print)\b")


def without_words(text):
    """Comments and strings become blanks, so that places stay."""
    def blank(match):
        return re.sub(r"[^\n]", " ", match.group())
    return re.sub(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\])\'', blank, text, flags=re.S)


def other_number(text):
    """Another value of the same kind."""
    value = float(text)
    if re.fullmatch(r"\d+", text):
        return str(int(text) + 1)
    return repr(2 * value) if value else "1.0"


def of_line(name, number, line):
    for match in OPERATOR.finditer(line):
        old = match.group()
        kind = "comparison" if old in COMPARISONS else "sign"
        yield Mutant(name, number, match.start(), kind, old, (COMPARISONS.get(old) or SIGNS[old]))
    for match in NUMBER.finditer(line):
        yield Mutant(name, number, match.start(), "constant", match.group(), other_number(match.group()))
    match = STATEMENT.match(line)
    if match and not NOT_A_STATEMENT.match(line):
        yield Mutant(name, number, len(match.group(1)), "statement", match.group(2), ";")


def of_file(name, text):
    """All mutants of a source: in the bodies of functions, where a line begins with a blank and is not the preprocessor's."""
    in_macro = False
    for number, line in enumerate(without_words(text).split("\n"), 1):
        directive = in_macro or line.startswith("#")
        in_macro = directive and line.rstrip().endswith("\\")
        if not directive and line.startswith("  "):
            yield from of_line(name, number, line)


def put(text, mutant):
    """The text with the mutant in it."""
    lines = text.split("\n")
    line = lines[mutant.line - 1]
    end = mutant.column + len(mutant.old)
    lines[mutant.line - 1] = line[:mutant.column] + mutant.new + line[end:]
    return "\n".join(lines)
