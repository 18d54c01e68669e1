# paper.py TOOL PAPER-FOLDER [--write] -- does the paper cite what its bibliography has, are publications of the program there as it
# prints them, and is every figure there? With --write the bibliography is made: what the paper cites, and software.bib.
# SPDX-License-Identifier: GPL-3.0-or-later
import os
import re
import subprocess
import sys


def entries(text):
    """{key: entry} of BibTeX as `cite` prints it."""
    found = re.findall(r"^@[a-z]+\{([a-z0-9-]+),.*?^\}", text, re.M | re.S)
    bodies = [m.group(0) for m in re.finditer(r"^@[a-z]+\{[a-z0-9-]+,.*?^\}", text, re.M | re.S)]
    return dict(zip(found, bodies))


def read(*path):
    with open(os.path.join(*path), encoding="utf-8") as file:
        return file.read()


def main(tool, folder, write):
    paper, software = read(folder, "paper.md"), entries(read(folder, "software.bib"))
    known = {**entries(subprocess.run([tool, "cite", "--all"], check=True, capture_output=True, text=True).stdout), **software}
    cited = sorted(set(re.findall(r"(?<![\w.])@([a-z][a-z0-9-]*[a-z0-9])", paper)))
    missing = [key for key in cited if key not in known]
    if missing:
        sys.exit(f"paper.md cites what is not known: {missing}")
    bibliography = "\n\n".join(known[key] for key in cited) + "\n"
    if write:
        with open(os.path.join(folder, "paper.bib"), "w", encoding="utf-8") as file:
            file.write(bibliography)
    elif read(folder, "paper.bib") != bibliography:
        sys.exit("paper.bib is not what the program and software.bib say: make it anew with --write")
    unused = [key for key in software if key not in cited]
    figures = re.findall(r"\]\(([^)]+)\)", paper)
    lost = [name for name in figures if not os.path.exists(os.path.join(folder, name))]
    if unused or lost or len(figures) < 2:
        sys.exit(f"not cited: {unused}; no such figure: {lost}")
    words = len(re.sub(r"^---.*?^---", "", paper, flags=re.M | re.S).split())
    if not 600 <= words <= 1100:
        sys.exit(f"{words} words: two pages have 600 to 1100")
    print(f"{len(cited)} publications cited, {len(figures)} figures, {words} words")


main(sys.argv[1], sys.argv[2], "--write" in sys.argv)
