"""What a public header declares is exported, and nothing else, by the shared library and by the tool (to its plugins):
python3 test_symbols.py SOURCE-FOLDER COMPILER LIBRARY TOOL.

SPDX-License-Identifier: GPL-3.0-or-later"""

import pathlib
import re
import subprocess
import sys


def preprocessed(root, compiler):
    """All public headers as the compiler sees them, without comments and macros."""
    folders = sorted(folder.parent for folder in root.glob("*/delassus"))
    command = [compiler, "-std=c11", "-E", "-P", *(f"-I{folder}" for folder in folders), "-"]
    return subprocess.run(command, input="#include <delassus/delassus.h>\n", capture_output=True, text=True, check=True).stdout


def declared(text):
    """The names of functions and variables with external linkage; a plugin's own, which are marked visible, are left out."""
    while re.search(r"\{[^{}]*\}", text):
        text = re.sub(r"\{[^{}]*\}", ";", text)
    names = set()
    for statement in text.split(";"):
        words = statement.split()
        if not words or words[0] in ("typedef", "static") or "visibility" in statement:
            continue
        found = re.match(r"[^(]*\b(dls_\w+)\(", statement) or re.match(r"\s*extern\b.*\b(dls_\w+)", statement)
        if found:
            names.add(found.group(1))
    return names


def exported(path):
    """The symbols that `path` defines and offers; what the system's own libraries have copied into it bears a version, and what
    the C runtime has put into a program begins with an underscore."""
    lines = subprocess.run(["nm", "-D", "--defined-only", path], capture_output=True, text=True, check=True).stdout
    return {name for name in (line.split()[-1] for line in lines.splitlines()) if "@" not in name and not name.startswith("_")}


def main():
    root, compiler, *objects = sys.argv[1:]
    names = declared(preprocessed(pathlib.Path(root), compiler))
    wrong = [] if 200 <= len(names) <= 2000 else [f"{len(names)} names are declared"]
    for path in objects:
        there = exported(path)
        wrong += [f"{path} exports {name}, which delassus/delassus.h does not declare" for name in sorted(there - names)]
        wrong += [f"{path} does not export {name}, which delassus/delassus.h declares" for name in sorted(names - there)]
    print("\n".join(wrong) or f"{len(names)} names are declared and exported")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
