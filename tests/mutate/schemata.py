"""All mutants of a source in one text: each function that has some gets a copy for each of them, and asks at its beginning which is in force.

SPDX-License-Identifier: GPL-3.0-or-later
"""
import re
import subprocess

from mutants import put

HEAD = re.compile(r"^(?P<before>.*?)\b(?P<name>\w+)\((?P<parameters>.*)\)\s*$", re.S)
NAME = re.compile(r"(\w+)\s*(?:\[[^\]]*\]\s*)*$")
POINTER = re.compile(r"\(\*\s*(?:const\s+)?(\w+)\)")
SWITCH = """/* Which mutant is in force: $DLS_MUTANT, 0 for none. */
#include <stdlib.h>
extern int dls_mutant;
int dls_mutant;
static void __attribute__((constructor)) choose(void)
{
  const char *text = getenv("DLS_MUTANT");
  dls_mutant = text ? atoi(text) : 0;
}
"""


class Function:
    """A definition: `head` and `body` are texts; lines are counted from 1, the last one is that of its brace."""

    def __init__(self, first, head, body, last):
        self.first, self.head, self.body, self.last = first, head, body, last
        self.match = HEAD.match(head)

    @property
    def name(self):
        return self.match["name"]

    def arguments(self):
        """How a call of the same parameters reads, None where it cannot be written."""
        text = self.match["parameters"].strip()
        if text in ("", "void"):
            return ""
        names = []
        for parameter in split(text):
            match = POINTER.search(parameter) or NAME.search(parameter.strip())
            if parameter.strip() == "..." or not match:
                return None
            names.append(match[1])
        return ", ".join(names)

    def renamed(self, name):
        before = re.sub(r"\b(static|inline)\b\s*", "", self.match["before"])
        return f"static {before}{name}({self.match['parameters']})"


def split(text):
    """Parameters between commas that no parenthesis holds."""
    parts, depth = [""], 0
    for letter in text:
        depth += (letter in "([") - (letter in ")]")
        if letter == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    return parts


def functions(text):
    """Definitions of a source that is formatted as all are here: braces of functions stand at the beginning of lines."""
    lines = text.split("\n")
    opened = None
    for number, line in enumerate(lines, 1):
        if line == "{":
            opened = number
        elif line == "}" and opened:
            first = opened - 1
            while first > 1 and lines[first - 2] and not re.match(r"[#}/]|.*(;|\*/|\\)$", lines[first - 2]):
                first -= 1
            function = Function(first, "\n".join(lines[first - 1:opened - 1]), "\n".join(lines[opened - 1:number]), number)
            if function.match:
                yield function
            opened = None


def woven(text, mutants):
    """@param mutants {number: mutant} of this source
    @return the text with all of them, and {number: (first, last) line of its copy}; those that cannot be written are left out"""
    lines, places, out = text.split("\n"), {}, ["extern int dls_mutant;"]
    at = 1
    for function in functions(text):
        mine = {k: m for k, m in mutants.items() if function.first <= m.line <= function.last}
        arguments = function.arguments()
        if not mine or arguments is None:
            continue
        out += lines[at - 1:function.first - 1]
        out += [function.renamed(f"{function.name}_mutant_{k}") + ";" for k in mine]
        out += function.head.split("\n") + ["{"]
        out += [f"  if (dls_mutant == {k}) return {function.name}_mutant_{k}({arguments});" for k in mine]
        out += function.body.split("\n")[1:]
        for k, mutant in mine.items():
            changed = put(text, mutant).split("\n")[function.first - 1:function.last]
            opened = changed.index("{")
            copy = function.renamed(f"{function.name}_mutant_{k}").split("\n") + changed[opened:]
            first = sum(piece.count("\n") + 1 for piece in out) + 1
            out += copy
            places[k] = (first, first + len(copy) - 1)
        at = function.last + 1
    return "\n".join(out + lines[at - 1:]), places


def compiled(text, mutants, path, command):
    """Weave, and leave out what the compiler refuses.
    @return text, the numbers of the mutants that are in it"""
    mutants = dict(mutants)
    while True:
        whole, places = woven(text, mutants)
        path.write_text(whole, encoding="utf-8")
        errors = subprocess.run(command + ["-fsyntax-only", "-w"], capture_output=True, text=True, check=False)
        if errors.returncode == 0:
            return whole, set(places)
        wrong = {int(match[1]) for match in re.finditer(re.escape(path.name) + r":(\d+):\d+: (?:fatal )?error", errors.stderr)}
        refused = {k for k, (first, last) in places.items() if any(first <= line <= last for line in wrong)}
        if not refused:
            raise RuntimeError(f"{path}: {errors.stderr[:2000]}")
        mutants = {k: m for k, m in mutants.items() if k not in refused}
