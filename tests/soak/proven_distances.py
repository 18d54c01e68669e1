"""proven_distances.py -- what doubles say of a trajectory's distance from the exact solution, against what is proven of it.

    python3 tests/soak/proven_distances.py TOOL FOLDER [TRIALS]

Trial K: a model of `exact --rigorous`, each of its parameters at random kept, moved by a factor of up to 2.8 or set to 0; a run by
moreau-jean or by events; for q and v in hausdorff and l1 the interval of `distance --exact` and that of `--rigorous` must meet. So
a wrong limit, event or flight of an exact solution in doubles is found out. The proof is asked with all digits of the doubles, since
it takes decimals as they are written: a table that shakes a ball magnifies the difference tenfold at each impact. Where they do not
meet, but are no farther apart than the proofs for the doubles and for the decimals are, that is said: it is rounding. FOLDER keeps proven_distances.log, a line for each
trial, with what is said where there is no proof; started again it continues after the last one. Exit status 1 if any trial went wrong.

SPDX-License-Identifier: GPL-3.0-or-later
"""
import decimal
import os
import random
import re
import subprocess
import sys

MODELS = ["bouncing-ball", "impacting-oscillator", "two-ball-oscillator", "vibrating-table", "rope", "belt", "forced-block",
          "spring-block", "den-hartog", "puck"]
PARAMETER = re.compile(r"  (\S+) +(\S+) +([\[(])([^,]*), ([^\])]*)[\])]")
RUNS = 4e-12  # events of both are sampled to 1e-12, in q and v and in t


def ask(*words):
    """Exit status, lines NAME=VALUE and messages of a command; None: it takes too long."""
    try:
        done = subprocess.run([tool, *words], capture_output=True, text=True, timeout=60, check=False)
    except subprocess.TimeoutExpired:
        return None, {}, "takes longer than a minute"
    return done.returncode, dict(line.split("=", 1) for line in done.stdout.splitlines() if "=" in line), done.stderr.strip()


def parameters(model):
    """[(name, default, least, most, is 0 allowed?)]"""
    lines = subprocess.run([tool, "show", model], capture_output=True, text=True, check=True).stdout
    table = lines.split("parameters (", 1)[1].split("\n\n", 1)[0]
    rows = [m.groups() for m in map(PARAMETER.match, table.splitlines()) if m]
    return [(name, float(default), float(least), float(most), not (side == "(" and float(least) == 0))
            for name, default, side, least, most in rows]


def draw(rng, model):
    """Words of a command, and all parameters as the decimals that their doubles are."""
    words, exact = [], []
    for name, default, least, most, may_vanish in parameters(model):
        value = default * 2 ** rng.uniform(-1.5, 1.5) if default != 0 else rng.uniform(-1, 1)
        value = 0 if rng.random() < 0.1 and may_vanish else value
        text = repr(default)
        if rng.random() < 0.5:
            text = f"{min(max(value, least), most):.3g}"
            words += ["--set", f"{name}={text}"]
        exact += ["--set", f"{name}={decimal.Decimal(float(text))}"]
    return words, exact


def compare(run, model, words, exact, column, norm, end):
    """Is it proven that both agree (None: nothing is), and what is wrong, or why there is no proof."""
    common = ["distance", run, "--exact", model, "--column", column, "--norm", norm]
    _, double, said = ask(*common, *words)
    _, proven, why = ask(*common, *exact, "--rigorous", "--digits", "4")
    what = f"{column} {norm}: "
    if "distance" not in double or "distance_lo" not in proven:
        why = why if "distance" in double else said
        return None if why else False, what + (why or "no distance and no word")
    value, bound = float(double["distance"]), float(double["bound"]) + RUNS * (1 + end)
    low, high = float(proven["distance_lo"]), float(proven["distance_hi"])
    if low - bound <= value <= high + bound:
        return True, ""
    what += f"{value} +- {bound}, proven [{low}, {high}]"
    _, written, _ = ask(*common, *words, "--rigorous", "--digits", "4")
    magnified = abs(float(written["distance_lo"]) - low) if "distance_lo" in written else 0
    near = low - bound - magnified <= value <= high + bound + magnified
    return None if near else False, what + f", rounded parameters change that by {magnified}"


def trial(k):
    rng = random.Random(k)
    model = MODELS[k % len(MODELS)]
    (words, exact), end = draw(rng, model), rng.uniform(0.5, 4)
    scheme = ["event-driven"] if rng.random() < 1 / 3 else ["moreau-jean", "--step", f"{end / 10 ** rng.uniform(1.3, 2.3):.3g}"]
    name = " ".join([model, *words[1::2]])
    status, _, why = ask("run", model, *words, "--scheme", *scheme, "--end", f"{end:.3g}", "--out", "run.csv")
    if status != 0:
        return f"{name}: no run: {why.splitlines()[-1] if why else status}"
    found = [compare("run.csv", model, words, exact, column, norm, end) for column in "qv" for norm in ("hausdorff", "l1")]
    wrong, unproven = ("; ".join(text for good, text in found if good is which) for which in (False, None))
    proven = sum(good is True for good, _ in found)
    return f"{name}: " + (f"WRONG {wrong}" if wrong else f"{proven} of 4" + (f", {unproven}" if unproven else ""))


def main():
    path = "proven_distances.log"
    status, _, why = ask("exact", MODELS[0], "--end", "0.5", "--rigorous")
    if status != 0:
        sys.exit(why)
    with open(path, "a+", encoding="utf-8") as log:
        log.seek(0)
        lines = log.read().splitlines()
        for k in range(len(lines), trials):
            lines.append(f"{k} {trial(k)}")
            print(lines[-1], file=log, flush=True)
    wrong = [line for line in lines if ": WRONG" in line]
    print("\n".join(wrong))
    proven = [int(m[1]) for m in (re.search(r": (\d) of 4", line) for line in lines) if m]
    refused = len(lines) - len(wrong) - len(proven)
    print(f"trials={len(lines)} distances={sum(proven)} of={4 * len(proven)} wrong={len(wrong)} runs_refused={refused}")
    return 1 if wrong else 0


if __name__ == "__main__":
    tool, trials = os.path.realpath(sys.argv[1]), int(sys.argv[3]) if len(sys.argv) > 3 else 1000
    os.makedirs(sys.argv[2], exist_ok=True)
    os.chdir(sys.argv[2])
    sys.exit(main())
