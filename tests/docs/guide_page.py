#!/usr/bin/env python3
"""guide_page.py SOURCE BUILD PAGE [--limit SECONDS] [--pictures] -- a page of the Guide, typed into a fresh shell from top to bottom.

The shell stands in a copy of the repository's root: a folder with links to all that is there, and to BUILD as build. Fenced blocks:

- `sh`: commands. `sh status=N`: the last one ends with exit status N.
- `text`: lines that the output of the commands before contains, in the words of source_rows.py: any blanks for a blank, … for anything.
- `c file=NAME` and alike: the reader saves it under this name.

A picture of the page has the file that the commands make as its title: ![what it shows](../images/NAME.png "FOLDER/FILE.png").
The page fails if a command, an output or a picture does, or after SECONDS. --pictures copies its pictures to docs/images. A page that names
numpy, scipy, sympy or matplotlib is skipped (status 77) without them.
SPDX-License-Identifier: GPL-3.0-or-later
"""
import argparse
import importlib.util
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

import source_rows

BLOCK = re.compile(r"^```(\w+)([^\n]*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
PICTURE = re.compile(r'!\[[^\]]*\]\(([^) ]+)(?: "([^"]+)")?\)')


def script(blocks, outputs):
    """All blocks of commands as one script: variables of the shell stay. The output of block k is in outputs/k."""
    yield "set -eu\n"
    for k, (kind, info, body) in enumerate(blocks):
        if kind != "sh":
            continue
        status = re.search(r"status=(\d+)", info)
        if status:
            body = f"set +e\n( set -e\n{body})\ncode=$?\nset -e\n[ $code -eq {status[1]} ]\n"  # in `( ) ||` set -e has no effect
        yield f"echo {k} >{outputs}/reached\n{{\n{body}}} >{outputs}/{k} 2>&1 </dev/null\n"


def type_page(page, root, outputs):
    """Save the files, run the commands. @return what is wrong"""
    text = page.read_text(encoding="utf-8")
    blocks = BLOCK.findall(text)
    for _, info, body in blocks:
        name = re.search(r"file=(\S+)", info)
        if name:
            (root / name[1]).parent.mkdir(parents=True, exist_ok=True)
            (root / name[1]).write_text(body, encoding="utf-8")
    environment = {**os.environ, "PATH": f"{pathlib.Path(sys.executable).parent}:{os.environ['PATH']}", "COLUMNS": "120", "OPENBLAS_NUM_THREADS": "1"}
    done = subprocess.run(["bash", "-c", "".join(script(blocks, outputs))], cwd=root, env=environment, check=False)
    reached = int((outputs / "reached").read_text())
    if done.returncode != 0:
        last = (outputs / str(reached)).read_text().strip()[-600:]
        yield f"exit status {done.returncode} in the block:\n{blocks[reached][2]}{last}"
    output = ""
    for k, (kind, _, body) in enumerate(blocks[:reached + 1]):
        if kind == "sh":
            output = (outputs / str(k)).read_text(encoding="utf-8")
        elif kind == "text":
            yield from (f"not in the output: {line}" for line in body.splitlines()
                        if line.strip(" …") and not source_rows.holds(line, output))
    for picture, made in PICTURE.findall(text):
        if not (page.parent / picture).exists():
            yield f"no picture {picture}"
        folder = root / made.partition("/")[0]
        if not made or not (root / made).exists():
            yield f"no command makes {made or picture}"
        elif folder.is_symlink():
            yield f"{made} is in a folder of the repository"


def main():
    words = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    words.add_argument("source", type=lambda p: pathlib.Path(p).resolve())
    words.add_argument("build", type=lambda p: pathlib.Path(p).resolve())
    words.add_argument("page", type=lambda p: pathlib.Path(p).resolve())
    words.add_argument("--limit", type=float)
    words.add_argument("--pictures", action="store_true")
    given = words.parse_args()
    imported = set(re.findall(r"numpy|scipy|sympy|matplotlib", given.page.read_text(encoding="utf-8")))
    missing = [name for name in sorted(imported) if importlib.util.find_spec(name) is None]
    if missing:
        print(f"skipped: {given.page.name} needs the Python packages {', '.join(missing)}")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        root, outputs = pathlib.Path(folder) / "delassus", pathlib.Path(folder) / "outputs"
        root.mkdir()
        outputs.mkdir()
        for entry in given.source.iterdir():
            if entry.name not in ("build", ".git"):
                (root / entry.name).symlink_to(entry)
        (root / "build").symlink_to(given.build)
        start = time.monotonic()
        wrong = list(type_page(given.page, root, outputs))
        seconds = time.monotonic() - start
        if given.pictures:
            for picture, made in PICTURE.findall(given.page.read_text(encoding="utf-8")):
                if made and (root / made).exists():
                    shutil.copyfile(root / made, given.page.parent / picture)
    if given.limit and seconds > given.limit:
        wrong.append(f"takes more than {given.limit:g} s")
    print("".join(f"FAILED: {text}\n" for text in wrong), end="")
    print(f"{given.page.name}: {seconds:.0f} s, {len(wrong)} failures")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
