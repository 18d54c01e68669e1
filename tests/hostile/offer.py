"""What the tool offers, read from its own pages: commands, their arguments and options, and the names of its lists.

SPDX-License-Identifier: GPL-3.0-or-later
"""
import collections
import csv
import functools
import os
import re
import subprocess

Option = collections.namedtuple("Option", "name value repeats")  # value: the word behind it on the page, "" for none
Row = collections.namedtuple("Row", "name default range")        # of a table of parameters or options
Command = collections.namedtuple("Command", "name arguments options required choice needs excludes")

# arguments: those outside brackets in the usage, each a list of alternatives; required: options outside brackets;
# choice: options in parentheses, of which one at least is needed; needs: the option in whose brackets another stands;
# excludes: pairs with a bar between them


def without_brackets(text):
    """The text outside [...], which may be nested."""
    depth, kept = 0, []
    for c in text:
        depth += c == "["
        if depth == 0:
            kept.append(c)
        depth -= c == "]"
    return "".join(kept)


def enclosing(text):
    """The first option of the brackets around the brackets of each option, {inner: outer}."""
    needs, stack = {}, []
    for token in re.findall(r"\[|\]|--[a-z-]+", text):
        if token == "[":
            stack.append(None)
        elif token == "]":
            stack.pop()
        elif stack:
            outer = [o for o in stack[:-1] if o]
            if outer:
                needs[token[2:]] = outer[-1]
            stack[-1] = stack[-1] or token[2:]
    return needs


class Offer:
    def __init__(self, tool):
        self.tool = tool
        self.commands = {n: self.read_command(n) for n in self.page("--complete", "delassus", "").split()}
        kinds = re.search(r"list \[([a-z|]+)\]", self.page("list", "--help")).group(1).split("|")
        self.lists = {kind: self.names(kind) for kind in kinds}

    def page(self, *words):
        """Standard output of the tool; sanitizers look at these calls too, by their exit status."""
        return subprocess.run([self.tool, *words], check=True, capture_output=True, text=True,
                              env={**os.environ, "COLUMNS": "96"}).stdout

    def read_command(self, name):
        page = self.page(name, "--help")
        usage = re.sub(r"\s+", " ", page[:page.index("\n\n")]).split(f"delassus {name}", 1)[1]
        options = {}
        for option, value in re.findall(r"^  --([a-z-]+) ?(\S.*?)?(?:  |$)", page, re.M):
            repeats = re.search(rf"--{option} [A-Z][^ []*(\[[^]]*\])?(?<!,)\]?\.\.\.", usage) is not None
            options[option] = Option(option, value or "", repeats)
        needed = without_brackets(usage)
        choice = re.search(r"\((.*?)\)", needed)
        needed = re.sub(r"\(.*?\)", "", needed)
        required = [o for o in re.findall(r"(?<!\|)--([a-z-]+)", needed)]
        words = re.sub(r"(?<!\|)--[a-z-]+( [A-Z]\S*)?", "", needed).replace("--exact MODEL", "--exact")
        return Command(name, [w.split("|") for w in words.split() if re.search("[A-Za-z]", w)], options, required,
                       re.findall(r"--([a-z-]+)", choice.group(1)) if choice else [], enclosing(usage),
                       re.findall(r"--([a-z-]+)[^][|]*\|--([a-z-]+)", usage))

    def names(self, kind):
        rows = csv.reader(self.page("list", kind, "--format", "csv").splitlines())
        return [row[0] for row in rows][1:]

    @functools.lru_cache(maxsize=None)
    def show(self, name):
        return self.page("show", name)

    @functools.lru_cache(maxsize=None)
    def table(self, name):
        """Rows of the parameters of a model or law, or of the options of a scheme; [] without any."""
        return [Row(*cells[:3]) for cells in self.cells(name, "name +default")]

    @functools.lru_cache(maxsize=None)
    def files(self, name):
        """Files of a model, {name: needed}."""
        return {cells[0]: cells[1] == "yes" for cells in self.cells(name, "name +needed")}

    def cells(self, name, heading):
        found = re.search(rf"^  {heading}.*\n((?:  .*\n)*)", self.show(name), re.M)
        rows = re.findall(r"^  \S.*$", found.group(1), re.M) if found else []
        return [re.split(r"  +", row.strip()) for row in rows]

    def chooses_steps(self, scheme):
        return "given by --step" not in self.show(scheme)
