"""proven_distances.py -- what doubles say of a trajectory's distance from the exact solution, against what is proven of it.

    python3 tests/soak/proven_distances.py TOOL FOLDER [TRIALS]

Trial K: a model of `exact --rigorous`, each of its parameters at random kept, moved by a factor of up to 2.8 or set to 0; a run by
moreau-jean or by events; for q and v in hausdorff and l1 the interval of `distance --exact` and that of `--rigorous` must meet. So
a wrong limit, event or flight of an exact solution in doubles is found out. FOLDER keeps proven_distances.log, a line for each
trial; started again it goes on behind the last one. Exit status 1 if any trial went wrong.

SPDX-License-Identifier: GPL-3.0-or-later
"""
import os
import random
import re
import subprocess
import sys

MODELS = ["bouncing-ball", "impacting-oscillator", "two-ball-oscillator", "vibrating-table", "rope", "belt", "forced-block",
          "spring-block", "den-hartog", "puck"]
PARAMETER = re.compile(r"  (\S+) +(\S+) +[\[(]([^,]*), ([^\])]*)[\])]")
RUNS = 4e-12  # events of both are sampled to 1e-12, in q and v and in t


def ask(*words):
    """Exit status, lines NAME=VALUE and messages of a command; None: it takes too long."""
    try:
        done = subprocess.run([tool, *words], capture_output=True, text=True, timeout=60, check=False)
    except subprocess.TimeoutExpired:
        return None, {}, "takes longer than a minute"
    return done.returncode, dict(line.split("=", 1) for line in done.stdout.splitlines() if "=" in line), done.stderr.strip()


def parameters(model):
    """[(name, default, least, most)]"""
    lines = subprocess.run([tool, "show", model], capture_output=True, text=True, check=True).stdout
    table = lines.split("parameters (", 1)[1].split("\n\n", 1)[0]
    return [(m[1], float(m[2]), float(m[3]), float(m[4])) for m in map(PARAMETER.match, table.splitlines()) if m]


def draw(rng, model):
    words = []
    for name, default, least, most in parameters(model):
        value = default * 2 ** rng.uniform(-1.5, 1.5) if default != 0 else rng.uniform(-1, 1)
        value = 0 if rng.random() < 0.1 else value
        if rng.random() < 0.5:
            words += ["--set", f"{name}={min(max(value, least), most):.3g}"]
    return words


def compare(run, model, words, column, norm, end):
    """What is wrong, "" if nothing is, None if nothing can be said."""
    common = ["distance", run, "--exact", model, *words, "--column", column, "--norm", norm]
    _, double, said = ask(*common)
    _, proven, why = ask(*common, "--rigorous", "--digits", "4")
    if "distance" not in double or "distance_lo" not in proven:
        return None if "distance" in double and why else f"{column} {norm}: {said}"
    value, bound = float(double["distance"]), float(double["bound"]) + RUNS * (1 + end)
    low, high = float(proven["distance_lo"]), float(proven["distance_hi"])
    return "" if low - bound <= value <= high + bound else f"{column} {norm}: {value} +- {bound}, proven [{low}, {high}]"


def trial(k):
    rng = random.Random(k)
    model = MODELS[k % len(MODELS)]
    words, end = draw(rng, model), rng.uniform(0.5, 4)
    scheme = ["event-driven"] if rng.random() < 1 / 3 else ["moreau-jean", "--step", f"{end / 10 ** rng.uniform(1.3, 2.3):.3g}"]
    name = " ".join([model, *words[1::2]])
    status, _, why = ask("run", model, *words, "--scheme", *scheme, "--end", f"{end:.3g}", "--out", "run.csv")
    if status != 0:
        return f"{name}: no run: {why.splitlines()[-1] if why else status}"
    found = [compare("run.csv", model, words, column, norm, end) for column in "qv" for norm in ("hausdorff", "l1")]
    wrong = "; ".join(text for text in found if text)
    return f"{name}: " + (f"WRONG {wrong}" if wrong else f"{found.count('')} of 4")


def main():
    path = "proven_distances.log"
    with open(path, "a+", encoding="utf-8") as log:
        log.seek(0)
        lines = log.read().splitlines()
        for k in range(len(lines), trials):
            lines.append(f"{k} {trial(k)}")
            print(lines[-1], file=log, flush=True)
    wrong = [line for line in lines if ": WRONG" in line]
    print("\n".join(wrong))
    proven = sum(int(line[-6]) for line in lines if line.endswith(" of 4"))
    print(f"trials={len(lines)} distances={proven} wrong={len(wrong)} runs_refused={sum(': no run' in line for line in lines)}")
    return 1 if wrong else 0


if __name__ == "__main__":
    tool, trials = os.path.realpath(sys.argv[1]), int(sys.argv[3]) if len(sys.argv) > 3 else 1000
    os.makedirs(sys.argv[2], exist_ok=True)
    os.chdir(sys.argv[2])
    sys.exit(main())
