# SPDX-License-Identifier: GPL-3.0-or-later
"""Time of runs of models that SymPy derived, against the same models written by hand in C: the least of
interleaved turns.

    cc -std=c11 -O2 -fPIC -shared -ffp-contract=off $(pkg-config --cflags delassus) -o by_hand.so tests/install/plugin_by_hand.c -ldelassus -lm
    PYTHONPATH=PREFIX/share/delassus/python python3 bench/formulas.py ./by_hand.so
"""
import pathlib
import sys

import delassus

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "tests" / "install"))
from test_formulas import cart, dimer  # noqa: E402, the models of the test

TURNS = 9
RUNS = (
    ("moreau-jean", {"step": 1e-5}),
    ("rk-moreau", {"step": 1e-5}),
    ("nonsmooth-newmark", {"step": 1e-5}),
    ("event-driven:tol=1e-12", {}),
)


def main():
    delassus.plugin(sys.argv[1])
    print("model, scheme: time by hand / time from formulas (nodes)")
    for derived, by_hand in ((dimer(), "dimer-by-hand"), (cart(), "cart-by-hand")):
        for scheme, step in RUNS:
            seconds = {derived: [], by_hand: []}
            for _ in range(TURNS):
                for model, list_of in seconds.items():
                    run = delassus.run(model, scheme, end=2, **step)
                    list_of.append(run.work["wall_seconds"])
            ratio = min(seconds[by_hand]) / min(seconds[derived])
            print(f"{derived.name}, {scheme}: {ratio:.2f} ({len(run)})")


if __name__ == "__main__":
    main()
