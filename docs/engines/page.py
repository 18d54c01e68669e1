"""The page on engines from what measure.sh left: page.py TEMPLATE RESULTS FOLDER.

FOLDER gets notes/engines.md and images/engines-*.png. A line "@table PROBLEM ERROR | ERROR ..." of the template becomes a table of the verdicts,
"@picture PROBLEM QUANTITY TEXT" a picture, "@own" how far compliant engines are from their own equations,
"@settings" what each program said of its set-up, "@missing" which engines were left out.
SPDX-License-Identifier: GPL-3.0-or-later"""

import math
import pathlib
import re
import shutil
import sys

ENGINES = ["ode", "chipmunk", "bullet", "box2d", "mujoco", "simbody", "siconos"]


def verdict(path):
    """Rows of the verdict table in their order: (program, error): (value at the smallest step, words)."""
    lines = path.read_text(encoding="utf-8").split("verdict\n", 1)[1].splitlines()
    starts = [lines[0].index(name) for name in ("program", "error", "smallest step", "verdict")] + [None]
    rows, last = {}, None
    for line in lines[1:]:
        cells = [line[a:b].strip() for a, b in zip(starts, starts[1:])]
        if cells[0]:
            last = (cells[0], cells[1])
            rows[last] = (cells[2], cells[3])
        elif last is not None and cells[3] and not "".join(cells[:3]):
            rows[last] = (rows[last][0], f"{rows[last][1]} {cells[3]}")
    return rows


def cell(value, words):
    """One number, and what is said of it; the interval of an order is left out where it is narrow."""
    words = re.sub(r"medians off any line, by a factor of up to ([0-9.e+]+)", r"scatters by \1", words)
    words = re.sub(r"(-?[0-9.]+ at first, then )?converges to something else, error ([0-9.e+-]+)( at every step)?",
                   r"plateau at \2", words).replace("plateau: plateau", "plateau").replace("plateau: order plateau", "plateau")
    words = re.sub(r"no order: medians scatter by a factor of up to (\S+) around (\S+); 95 % interval (\S+) to (\S+)",
                   r"no order, scatters by \1 around \2, [\3, \4]", words)
    words = re.sub(r"its 95 % interval, (\S+) to ([^,]+), contains 0", r"no order, [\1, \2]", words)
    words = re.sub(r"measured (\S+); ", r"e = \1; ", words)
    words = words.replace("; negative order: the smaller the step, the larger the error", "")
    words = words.replace("; small steps are at the floor", "").replace("none at the smallest step", "none")
    return "none" if words == "none" else f"{value}; {words}"


def table(results, problem, errors):
    rows = verdict(results / problem / "verdict.txt")
    programs = list(dict.fromkeys(program for program, _ in rows))
    out = [f"| {' | '.join(['program', *errors])} |", "| --- " * (len(errors) + 1) + "|"]
    for program in programs:
        cells = [cell(*rows[program, error]) if (program, error) in rows else "–" for error in errors]
        out.append(f"| {' | '.join([program, *cells])} |")
    return out


def settings(results):
    """A row for each program, from its file of the largest step in the first problem."""
    out = ["| program | set-up |", "| --- | --- |"]
    folder = sorted(results.glob("*/verdict.txt"))[0].parent
    for path in sorted(folder.glob("*/h0.02.csv")):
        said = re.search(r"^# settings: (.*)$", path.read_text(encoding="utf-8"), re.M)
        if said:
            out.append(f"| {path.parent.name} | {said.group(1)} |")
    return out


def fit(points):
    """Slope of log(error) over log(step), half of its 95 % interval, and the line as a function of the step."""
    logs = [(math.log(step), math.log(error)) for step, error in points]
    count = len(logs)
    x0, y0 = (sum(values) / count for values in zip(*logs))
    spread = sum((x - x0) ** 2 for x, _ in logs)
    slope = sum((x - x0) * (y - y0) for x, y in logs) / spread
    rest = sum((y - y0 - slope * (x - x0)) ** 2 for x, y in logs)
    student = 2.0739  # 0.975 quantile with 22 degrees of freedom: measure.sh makes 24 steps
    return slope, student * math.sqrt(rest / (count - 2) / spread), lambda h: math.exp(y0 + slope * (math.log(h) - x0))


def own(results):
    """Compliant engines: how far their equations are from the rigid ones, and they from their equations."""
    path = results / "ball" / "own.txt"
    if not path.exists():
        return []
    model, errors = {}, {}
    for line in path.read_text(encoding="utf-8").splitlines():
        program, step, error = line.split()
        if step == "model":
            model[program] = float(error)
        else:
            errors.setdefault(program, []).append((float(step), float(error)))
    out = ["| program | model error | time error at 0.001 s | at 0.0001 s | at 0.00002 s | order |", "| --- " * 6 + "|"]
    for program, points in errors.items():
        slope, half, line = fit(points)
        cells = [f"{value:.2g}" for value in (model[program], line(1e-3), line(1e-4), line(2e-5))]
        out.append(f"| {program} | {' | '.join(cells)} | {slope:.2f} [{slope - half:.2f}, {slope + half:.2f}] |")
    return out


def missing(results):
    there = {path.parent.name for path in results.glob("*/*/h0.02.csv")}
    left = [name for name in ENGINES if name not in there]
    return [f"Left out, since they are not installed here: {', '.join(left)}."] if left else []


def picture(results, folder, problem, of, text):
    name = f"engines-{problem}.png"
    (folder / "images").mkdir(parents=True, exist_ok=True)
    shutil.copyfile(results / problem / "verdict" / f"judge_hausdorff_{of}.png", folder / "images" / name)
    return [f"![{text}](../images/{name})"]


def lines_of(line, results, folder):
    word, *rest = line.split(" ", 2)
    if word == "@table":
        return table(results, rest[0], [error.strip() for error in rest[1].split("|")])
    if word == "@picture":
        of, text = rest[1].split(" ", 1)
        return picture(results, folder, rest[0], of, text)
    if word == "@settings":
        return settings(results)
    if word == "@own":
        return own(results)
    return missing(results) if word == "@missing" else [line]


def main():
    template, results, folder = map(pathlib.Path, sys.argv[1:4])
    lines = template.read_text(encoding="utf-8").splitlines()
    page = [made for line in lines for made in lines_of(line, results, folder)]
    (folder / "notes").mkdir(parents=True, exist_ok=True)
    (folder / "notes" / "engines.md").write_text("\n".join(page) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
