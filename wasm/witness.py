"""Compare exact solutions of both builds: python3 wasm/witness.py [--end T] FOLDER TOOL [MODEL...]

FOLDER is that of wasm/build.sh, where long double has 113 bits, TOOL the native tool, where it has 64. Each model with an exact solution, or
each MODEL, is evaluated at the same times from 0 to T (default 10 s); events are compared too. The unit of differences is the last digit of
a double of the size of the column. Gaps count as large as coordinates, their rates as velocities, joint equations as coordinates.
Models agree if no value differs by more than two units. wasm/witness.txt lists those that do not: the time until which they agree, the reason.
Exit status: 0 all is as listed, 1 it is not.
SPDX-License-Identifier: GPL-3.0-or-later"""

import argparse
import concurrent.futures
import math
import os
import pathlib
import subprocess
import sys
import tempfile

POINTS, ALLOWED = 101, 2
OF_EVENTS = ("t", "u_minus", "u_plus", "impulse")
LIKE = {"g": "q", "phi": "q", "u": "v"}  # columns that vanish where a contact or a joint holds


def read(path):
    """Events, names of columns, rows."""
    events, rows, names = [], [], None
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("# event: "):
            events.append(dict(word.split("=", 1) for word in line[9:].split()))
        elif not line.startswith("#"):
            if names is None:
                names = line.split(",")
            else:
                rows.append([float(x) if x else math.nan for x in line.split(",")])
    return events, names, rows


def letters(name):
    return name.rstrip("t").rstrip("0123456789")


def sizes_of(names, rows):
    """The size of each column."""
    own = [max((abs(row[i]) for row in rows if row[i] == row[i]), default=0) for i in range(len(names))]
    kinds = {}
    for name, size in zip(names, own):
        kinds[letters(name)] = max(size, kinds.get(letters(name), 0))
    return [max(size, kinds.get(LIKE.get(letters(name)), 0)) for name, size in zip(names, own)]


def units(a, b, size):
    return 0 if a == b or a != a and b != b else abs(a - b) / math.ulp(size) if size > 0 else math.inf


def compare(native, wasm):
    """Places where the two differ: (t, units, where)."""
    found = []
    (events, names, rows), (other_events, other_names, other_rows) = native, wasm
    if names != other_names or len(rows) != len(other_rows):
        return [(0, math.inf, f"{len(rows)} and {len(other_rows)} rows")]
    for i, size in enumerate(sizes_of(names, rows)):
        found += [(row[0], units(row[i], other[i], size), names[i]) for row, other in zip(rows, other_rows)]
    numbers = {key: [float(event.get(key, "nan")) for event in events] for key in OF_EVENTS}
    for k, (event, other) in enumerate(zip(events, other_events)):
        t = numbers["t"][k]
        if (event["kind"], event["contact"]) != (other["kind"], other["contact"]):
            found.append((t, math.inf, f"event {k}: {event['kind']} and {other['kind']}"))
            break
        for key in OF_EVENTS:
            size = t if key == "t" else max((abs(x) for x in numbers[key] if x == x), default=0)
            found.append((t, units(numbers[key][k], float(other.get(key, "nan")), size), f"event {k}: {key}"))
    if len(events) != len(other_events):
        found.append((math.inf, math.inf, f"{len(events)} and {len(other_events)} events"))
    return [one for one in found if not one[1] <= ALLOWED]


def run(command, model, end, path):
    times = ",".join(repr(end * (i + 0.318) / POINTS) for i in range(POINTS))
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}
    return subprocess.run([*command, "exact", model, "--at", times, "--out", path], capture_output=True, text=True, check=False, env=environment)


def witness(model, arguments, work):
    """The time until which a model agrees, and a line on it; None if it has no exact solution."""
    node = ["node", f"{arguments.folder}/bin/delassus.js"]
    paths = [work / f"{model}-{which}.csv" for which in ("native", "wasm")]
    results = [run([arguments.tool], model, arguments.end, paths[0])]
    if results[0].returncode == 2 and not arguments.models:
        return None
    results.append(run(node, model, arguments.end, paths[1]))
    for which, result in zip(("native", "WebAssembly"), results):
        if result.returncode != 0:
            return -math.inf, f"{which}, exit status {result.returncode}: {result.stderr.strip()}"
    found = compare(*map(read, paths))
    if not found:
        return math.inf, "agrees"
    first, most = min(found), max(found, key=lambda one: one[1] if one[1] < math.inf else -1)
    return first[0], f"differs from t = {first[0]:.4g} ({first[2]}, {first[1]:.3g} units); most at t = {most[0]:.4g} ({most[2]}, {most[1]:.3g} units)"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--end", type=float, default=10)
    parser.add_argument("folder")
    parser.add_argument("tool")
    parser.add_argument("models", nargs="*")
    arguments = parser.parse_args()
    catalogue = subprocess.run([arguments.tool, "list", "models", "--format", "csv"], capture_output=True, text=True, check=True).stdout
    models = arguments.models or [line.split(",")[0] for line in catalogue.splitlines()[1:]]
    text = (pathlib.Path(__file__).parent / "witness.txt").read_text(encoding="utf-8")
    listed = {}
    for line in text.splitlines():
        if not line.startswith("#"):
            name, until, reason = line.split(" ", 2)
            listed[name] = float(until), reason
    wrong = 0
    with tempfile.TemporaryDirectory() as work, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for model, result in zip(models, pool.map(lambda model: witness(model, arguments, pathlib.Path(work)), models)):
            if result is None:
                continue
            first, words = result
            until, reason = listed.get(model, (math.inf, ""))
            good = first >= until and (first == math.inf) == (until == math.inf)
            wrong += not good
            print(f"{model}: {words}" + f" -- {reason}" * bool(reason) + ", which wasm/witness.txt does not expect" * (not good), flush=True)
    sys.exit(wrong > 0)


main()
