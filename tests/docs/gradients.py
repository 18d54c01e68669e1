#!/usr/bin/env python3
"""gradients.py TOOL PAGE [--write] -- the table of docs/notes/gradients.md is what `order` measures: a command for each row.

Means must agree within 1 % or half of a unit of their last digit, and within the spread where there is one; verdicts to the letter.
With --write the table is put on the page.
SPDX-License-Identifier: GPL-3.0-or-later
"""
import csv
import os
import pathlib
import re
import subprocess
import sys
import tempfile

BEGIN, END = "<!-- written by tests/docs/gradients.py -->", "<!-- end of the table -->"
IMPACT = "bouncing-ball --end 1.2 --of dq0/dq0,dv0/dq0"
ELASTIC = "bouncing-ball --set e=1 --end 1.2 --of dq0/dq0,dv0/dq0"
VELOCITY = ["moreau-jean", "moreau-jean:theta=1", "moreau-jean:gamma=0", "moreau-jean-variant", "moreau-jean-extrapolated", "nonsmooth-newmark",
            "nonsmooth-hht", "nonsmooth-generalized-alpha", "nonsmooth-kh-generalized-alpha", "nonsmooth-bdf2", "nonsmooth-adams",
            "fully-implicit-newmark", "splitting-rkf45", "tdg-d1-minus", "tdg-d1-minus-implicit", "energy-preserving", "sequential-impulse",
            "anitescu-potra"]
POSITION = ["three-level-alpha", "xpbd", "schatzman-paoli", "chrono-nsc"]
MANY = IMPACT + " --repeats 300"  # 30 phases do not decide the verdict
MORE = IMPACT + " --repeats 1000"  # nor these: a quarter of the phases has another value
SOFT = "bouncing-ball --set e=0.1353352832366127 --end 1.2 --of dq0/dq0,dv0/dq0"  # e of mujoco: exp(-2)
SHORT = "bouncing-ball --end 1.1 --of dq0/dq0,dv0/dq0"
JOINT = "bouncing-pendulum-cartesian --end 0.5 --of dq0/dq0,dv0/dq0"
ROWS = ([(IMPACT, s, "plain") for s in VELOCITY + POSITION] + [(MORE, "soft-step", "plain"), (MANY, "newmark-implicit-contact", "plain")] +
        [(ELASTIC, s, "plain") for s in ("laursen-chawla", "laursen-love")] +
        [(IMPACT, "naive-rk4:project=on", "plain"), (JOINT, "moreau-jean:projection=direct", "plain"),
         (SHORT, "redistributed-mass-midpoint", "plain"), (SOFT, "mujoco", "plain"), (IMPACT, "rk-moreau", "plain")] +
        [(IMPACT, s, "saltation") for s in ("moreau-jean", "moreau-jean:theta=1", "schatzman-paoli", "three-level-alpha", "xpbd", "rk-moreau",
                                            "event-driven")] +
        [(IMPACT, "moreau-jean", "difference:delta=1e-5"), (MANY, "moreau-jean", "difference:delta=0.1"),
         ("belt --end 4 --of dq0/dvb,dv0/dvb", "moreau-jean:theta=1", "plain"),
         ("den-hartog --set v0=-0.1 --end 7.5 --of dq0/dF,dv0/dF", "moreau-jean", "plain"),
         ("den-hartog --set v0=-0.1 --end 7.5 --of dq0/dF,dv0/dF", "moreau-jean:theta=1", "saltation"),
         ("belt --set Fs=1.5 --end 4.5 --of dq0/dFs,dv0/dFs", "moreau-jean", "plain"),
         ("belt --set Fs=1.5 --end 4.5 --of dq0/dFs,dv0/dFs", "moreau-jean:theta=1", "saltation")])


def table(path):
    return list(csv.DictReader(line for line in path.open(encoding="utf-8") if not line.startswith("#")))


def measured(tool, words, scheme, tangent, folder):
    """For each quantity: mean, spread, right value, and the verdict."""
    command = ["order", *words.split(), "--scheme", scheme, "--tangent", tangent, "--steps", "0.01:1e-3:3"]
    subprocess.run([tool, *command, "--out", str(folder), "--plot-format", "none"], check=True, capture_output=True,
                   env={**os.environ, "OPENBLAS_NUM_THREADS": "1"})
    cells = []
    for row in table(folder / "orders.csv"):
        last = [d for d in table(folder / "derivatives.csv") if d["of"] == row["of"]][-1]
        mean, error = float(last["value"]), float(last["error"])
        cells.append((mean, float(last["spread"]), mean - error, row["verdict"] or "exact"))
    return cells


def text(x):
    return f"{0.0 if abs(x) < 1e-4 else x:.3g}"


def line_of(words, scheme, tangent, cells):
    values = [text(mean) + (f" ± {spread:.1g}" if spread > 0.02 * max(abs(mean), 0.1) else "") for mean, spread, _, _ in cells]
    verdicts = [c[3] for c in cells]
    verdict = verdicts[0] if len(set(verdicts)) == 1 else "; ".join(verdicts)
    return f"| `{words} --scheme {scheme} --tangent {tangent}` | {values[0]}, {values[1]} | {text(cells[0][2])}, {text(cells[1][2])} | {verdict} |"


def numbers(cell):
    return [float(x) for x in re.findall(r"(?<![\w.])-?\d+(?:\.\d+)?(?:e[+-]\d+)?", cell)]


def agrees(new, old):
    """Numbers to 1 %; spreads and what has them to a factor, as their rare phases have heavy tails; all else to the letter."""
    a, b = new.split("|"), old.split("|")
    if len(a) != len(b) or a[1] != b[1] or a[4] != b[4]:
        return False
    if "±" in a[2]:
        return len(numbers(a[2])) == len(numbers(b[2]))
    pairs = list(zip(numbers(a[2]) + numbers(a[3]), numbers(b[2]) + numbers(b[3])))
    return len(pairs) == 4 and all(abs(x - y) <= 0.01 * abs(y) + 1e-3 for x, y in pairs)


def main():
    tool, page = sys.argv[1], pathlib.Path(sys.argv[2])
    before = page.read_text(encoding="utf-8")
    head, rest = before.split(BEGIN)
    old, tail = rest.split(END)
    lines = ["", "| command: `delassus order … --steps 0.01:1e-3:3` | measured: mean ± spread | right | verdict |", "| --- | --- | --- | --- |"]
    with tempfile.TemporaryDirectory() as folder:
        for i, row in enumerate(ROWS):
            lines.append(line_of(*row, measured(tool, *row, pathlib.Path(folder) / str(i))))
    if "--write" in sys.argv:
        page.write_text(head + BEGIN + "\n".join(lines) + "\n" + END + tail, encoding="utf-8")
        return 0
    there = [line for line in old.split("\n") if line.startswith("|")]
    wrong = [f"computed {a}\non page  {b}" for a, b in zip(lines[3:], there[2:]) if not agrees(a, b)]
    wrong += [] if len(there) == len(lines) - 1 else [f"{len(there)} lines on the page, {len(lines) - 1} computed"]
    print("\n".join(wrong) or f"{len(ROWS)} rows agree")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
