"""All mutants of a source in one text: each function that has some gets a copy for each of them, and asks at its
beginning which is in force.

SPDX-License-Identifier: GPL-3.0-or-later
"""
import re
import subprocess

from mutants import put, without_words

HEAD = re.compile(r"^(?P<before>.*?)\b(?P<name>\w+)\((?P<parameters>.*)\)\s*$", re.S)
NAME = re.compile(r"(\w+)\s*(?:\[[^\]]*\]\s*)*$")
POINTER = re.compile(r"\(\*\s*(?:const\s+)?(\w+)\)")
SWITCH = """/* Which mutant is in force: $DLS_MUTANT, 0 for none. Which mutants' statements are run is noted in the file $DLS_REACHED, a byte
 * for each. Weak, as modules have their own. */
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>
enum { MOST = 65536 };
static unsigned char nowhere[MOST];
extern int dls_mutant;
extern unsigned char *dls_reached;
__attribute__((weak)) int dls_mutant;
__attribute__((weak)) unsigned char *dls_reached = nowhere;
static void __attribute__((constructor)) choose(void)
{
  const char *text = getenv("DLS_MUTANT"), *path = getenv("DLS_REACHED");
  dls_mutant = text ? atoi(text) : 0;
  const int file = path ? open(path, O_RDWR) : -1;
  void *place = file >= 0 ? mmap(NULL, MOST, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0) : MAP_FAILED;
  if (place != MAP_FAILED) dls_reached = place;
  if (file >= 0) close(file);
}
"""
DECLARED = "extern int dls_mutant; extern unsigned char *dls_reached;"
CONTINUED = re.compile(r"[{}]|(case|default|else)\b")  # no statement begins with it
LABEL = re.compile(r"(case\b.*|default\s*):$")


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


def statement_of(text, first, line):
    """Where the statement begins that a line is in, `first` the first line of the body. None if it is not seen easily."""
    lines = without_words(text).split("\n")
    while line > first:
        before = "\n".join(lines[first - 1:line - 1])
        begins = re.search(r"[;{}]\s*$", before) or LABEL.match(before.rstrip().split("\n")[-1].strip())
        inside = before.count("(") > before.count(")")
        if CONTINUED.match(lines[line - 1].strip()):
            return None
        if begins and not inside:
            return line
        line -= 1
    return None


def with_marks(text, function, mutants, refused):
    """Lines of the body behind its brace, with marks that say which mutants' statements are run; at the beginning for those that are
    refused elsewhere. @return lines, {line of them: number of the mutant}"""
    body = function.body.split("\n")[1:]
    first = function.last - len(body) + 1
    at = {}
    for k, mutant in mutants.items():
        line = statement_of(text, first, mutant.line) if k not in refused else None
        at.setdefault(line or first, []).append(k)
    out, marks = [], {}
    for number, line in enumerate(body, first):
        for k in at.get(number, []):
            marks[len(out)] = k
            out.append(f"  dls_reached[{k}] = 1;")
        out.append(line)
    return out, marks


def woven(text, mutants, refused):
    """@param mutants {number: mutant} of this source
    @param refused numbers of those whose mark cannot stand at their statement
    @return the text with all of them, {number: (first, last) line of its copy}, {line: number whose mark it is}; those that cannot be
    written are left out"""
    lines, copies, marks, out = text.split("\n"), {}, {}, [DECLARED]
    at = 1
    for function in functions(text):
        mine = {k: m for k, m in mutants.items() if function.first <= m.line <= function.last}
        arguments = function.arguments()
        if not mine or arguments is None:
            continue
        out += lines[at - 1:function.first - 1]
        out += [function.renamed(f"{function.name}_mutant_{k}").replace("\n", " ") + ";" for k in mine]
        out += function.head.split("\n") + ["{"]
        out += [f"  if (dls_mutant == {k}) return {function.name}_mutant_{k}({arguments});" for k in mine]
        body, marked = with_marks(text, function, mine, refused)
        marks.update({len(out) + line + 1: k for line, k in marked.items()})
        out += body
        for k, mutant in mine.items():
            changed = put(text, mutant).split("\n")[function.first - 1:function.last]
            opened = changed.index("{")
            copy = function.renamed(f"{function.name}_mutant_{k}").split("\n") + changed[opened:]
            copies[k] = (len(out) + 1, len(out) + len(copy))
            out += copy
        at = function.last + 1
    return "\n".join(out + lines[at - 1:]), copies, marks


def compiled(text, mutants, path, command):
    """Weave, and leave out what the compiler refuses.
    @return the numbers of the mutants that are in it"""
    mutants, unmarked = dict(mutants), set()
    while True:
        whole, copies, marks = woven(text, mutants, unmarked)
        path.write_text(whole, encoding="utf-8")
        errors = subprocess.run(command + ["-fsyntax-only", "-w"], capture_output=True, text=True, check=False)
        if errors.returncode == 0:
            return set(copies)
        wrong = {int(match[1]) for match in re.finditer(re.escape(path.name) + r":(\d+):\d+: (?:fatal )?error", errors.stderr)}
        refused = {k for k, (first, last) in copies.items() if any(first <= line <= last for line in wrong)}
        fresh = {k for line, k in marks.items() if {line, line + 1} & wrong} - unmarked
        if not refused and not fresh:
            raise RuntimeError(f"{path}: {errors.stderr[:2000]}")
        unmarked |= fresh
        mutants = {k: m for k, m in mutants.items() if k not in refused}
