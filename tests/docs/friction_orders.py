#!/usr/bin/env python3
"""friction_orders.py TOOL PAGE -- the orders in the tables of docs/notes/orders-friction.md are those of the study friction-orders and of `order`.

Each must be within one unit of its last digit of what is computed; `a ± b` is an order and half of its 95 % interval, if that is above 0.1.
Prints what is computed for every cell, to be put on the page.
SPDX-License-Identifier: GPL-3.0-or-later
"""
import csv
import os
import pathlib
import re
import subprocess
import sys
import tempfile

THETA = "moreau-jean:theta=1"
OTHERS = ["three-level-alpha", "schatzman-paoli", "splitting-rkf45", "tdg-d1-minus", "tdg-d1-minus:level=velocity"]
ENDS = {"belt": "5", "forced-block": "8", "den-hartog": "8", "puck": "0.4", "bounce-slip": "2.2"}
CORNERS = ["moreau-jean", "moreau-jean:velocity_test=off", "moreau-jean:gamma=0.5", "moreau-jean:gamma=0.5,velocity_test=off"]
OFF = "moreau-jean:velocity_test=off"


def orders(folder):
    """{(scheme, of): row} of orders.csv."""
    lines = (line for line in (folder / "orders.csv").open(encoding="utf-8") if not line.startswith("#"))
    return {(row["scheme"], row["of"]): row for row in csv.DictReader(lines)}


def number(row):
    """An order and half of its interval; NaN where nothing is fitted."""
    order, low, high = (float(row[key] or "nan") for key in ("order", "ci_low", "ci_high"))
    return order, (high - low) / 2


def text_of(part):
    """As it is on the page."""
    order, half = part
    return "none" if order != order else f"{order:.2f}" if not half > 0.1 else f"{order:.1f} ± {half:.1f}"


def cell(table, scheme):
    """Of q and of v."""
    return [number(table[scheme, of]) for of in ("q", "v")]


def bent(row):
    """Orders with large and with small steps where no line fits."""
    return [(float(x), 0.0) for x in re.findall(r"-?\d+\.\d+", row["reason"])]


def computed(tool, folder):
    """The rows of the page that have numbers: first cell up to a colon or comma, and the numbers of the others."""
    def run(*words):
        subprocess.run([tool, *words, "--out", str(folder / words[1])], check=True, capture_output=True,
                       env={**os.environ, "OPENBLAS_NUM_THREADS": "1"})
        return folder / words[1]

    study = run("study", "friction-orders", "--plot-format", "none")
    part = {path.name: orders(path) for path in study.iterdir() if path.is_dir()}
    for name in ("belt", "forced-block", "den-hartog", "puck", "bounce-slip", "rough-bowl"):
        ringing = [cell(part[name + "-fremond"], "moreau-jean")] if name + "-fremond" in part else []
        yield [f"`{name}`:", cell(part[name], "moreau-jean"), cell(part[name], THETA), *ringing]
    yield ["`rocking-block`: impacts", cell(part["rocking-block"], OFF)]
    for label, name, turn in (("`den-hartog` with phases", "den-hartog-stick", ""), ("`painleve-rod`", "painleve-rod", ""),
                              ("`rocking-block` (`velocity_test", "rocking-block-events", ":velocity_test=off")):
        first = "moreau-jean" + turn
        yield [label, cell(part[name], first), cell(part[name], first + (",theta=1" if turn else ":theta=1")),
               cell(part[name], "three-level-alpha"), cell(part[name], "schatzman-paoli")]
    yield ["`woodpecker`", cell(part["woodpecker"], "moreau-jean"), cell(part["woodpecker"], THETA)]
    grid = ["--steps", "2e-2:1e-3:7", "--repeats", "8", "--norm", "l1", "--plot-format", "none"]
    for name, end in ENDS.items():
        table = orders(run("order", name, "--end", end, *grid, *(word for s in OTHERS for word in ("--scheme", s))))
        yield [f"`{name}` by others", *(cell(table, s) for s in OTHERS)]
    table = orders(run("order", "rocking-block", "--end", "2.5", "--steps", "2e-3:1e-4:6", "--repeats", "8", "--norm", "l1", "--of", "q",
                       "--plot-format", "none", *(word for s in CORNERS for word in ("--scheme", s))))
    for label, test, without in (("forecast `gamma=1`", *CORNERS[:2]), ("`gamma=0.5`", *CORNERS[2:])):
        yield [label, bent(table[test, "q"]), [number(table[without, "q"])]]


def differences(row, page):
    """Orders of a row of the page that are not within one unit of their last digit of what is computed."""
    for want, text in zip(row[1:], page[1:]):
        parts = re.split(" / | and ", text.replace("none: ", ""))
        if not text or "another motion" in text:
            continue
        if len(parts) != len(want):
            yield f"'{text}' is {' / '.join(map(text_of, want))}"
            continue
        for part, (order, half) in zip(parts, want):
            found = re.match(r"(-?\d+\.\d+)(?: ± (\d+\.\d+))?", part)
            near = lambda said, x: abs(float(said) - x) <= 1.01 * 10.0 ** -len(said.partition(".")[2])
            if part == "none" and order == order or found and not (near(found[1], order) and near(found[2] or f"{half}", half)):
                yield f"{part} is {text_of((order, half))}"


def main():
    tool, page = str(pathlib.Path(sys.argv[1]).resolve()), pathlib.Path(sys.argv[2])
    others, lines, failures, count = False, [], 0, 0
    for line in page.read_text(encoding="utf-8").splitlines():
        others = others or line == "## Other schemes"
        if line.startswith("| "):
            cells = [text.strip() for text in line.strip("|").split("|")]
            lines.append([cells[0] + (" by others" if others else ""), *cells[1:]])
    with tempfile.TemporaryDirectory() as folder:
        for row in computed(tool, pathlib.Path(folder)):
            print("| " + " | ".join([row[0], *(" / ".join(map(text_of, parts)) for parts in row[1:])]) + " |")
            found = [cells for cells in lines if cells[0].startswith(row[0])]
            texts = [f"{len(found)} rows begin so"] if len(found) != 1 else list(differences(row, found[0]))
            failures += len(texts)
            count += len(row) - 1
            for text in texts:
                print(f"FAILED: {page.name}: {row[0]}: {text}")
    print(f"{count} cells, {failures} numbers differ")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
