"""The page of a lesson is whole and stands alone; its tables are those of fresh runs: lesson_page.py TOOL PAGE.

SPDX-License-Identifier: GPL-3.0-or-later"""

import ctypes
import json
import math
import pathlib
import random
import re
import shlex
import shutil
import statistics
import subprocess
import sys

from lesson_nodes import unpack

UNIT = 4095
MOST_BYTES = 600_000
CHECKED = 8  # runs of a page
MOTION = {"parameter", "law", "end"}
failures = []


def check(good, what):
    if not good:
        failures.append(what)


def run(tool, words):
    done = subprocess.run([tool, *words], capture_output=True, text=True)
    return done.returncode, done.stdout, done.stderr


def decode(text, panels, longest):
    """Rows of t and the columns, in their units."""
    return [
        [t / UNIT * longest] + [p["low"] + x / UNIT * (p["high"] - p["low"]) for p, x in zip(panels, parts)]
        for t, *parts in unpack(text, 1 + len(panels))
    ]


def stands_alone(page):
    check(len(page.encode()) <= MOST_BYTES, f"{len(page.encode())} bytes, more than {MOST_BYTES}")
    check(
        not re.search(r"https?:|\bsrc=|<link|@import|url\((?!#)|fetch\(|XMLHttpRequest|import\(", page),
        "the page loads something",
    )
    check("{{" not in page.split("<script", 1)[0], "a place of the page is not filled")
    check(page.rstrip().endswith("</html>"), "the page does not end")


def asks(page):
    questions = re.findall(r"<fieldset(.*?)>(.*?)</fieldset>", page, re.S)
    check(len(questions) == 3, f"{len(questions)} questions")
    for head, body in questions:
        answer = re.search(r'data-answer="(\w)"', head)
        if answer:
            values = re.findall(r'type="radio" name="\w+" value="(\w)"', body)
            check(
                values.count(answer[1]) == 1 and len(set(values)) == len(values) >= 3,
                f"choices {values}, answer {answer[1]}",
            )
        else:
            low, high = (float(re.search(f'data-{k}="([^"]+)"', head)[1]) for k in ("low", "high"))
            check(low < high and 'type="number"' in body, f"a number in [{low}, {high}]")
        check('class="because" hidden' in body, "a question does not say why")


def page_slopes(page, sets):
    """Slope of each set of points [log h, log error], and why it has none, by the functions of the page; None without node."""
    if shutil.which("node") is None:
        return None
    functions = re.search(r"function studentOf.*?(?=function slopeOf|/\*[^/]*\*/\s*function slopeOf)", page, re.S)[0]
    results = f"{json.dumps(sets)}.map((p) => [lineOf(p).slope, noLaw(p)])"
    program = f"const minus = (t) => t;{functions}console.log(JSON.stringify({results}));"
    done = subprocess.run(["node"], input=program, capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def no_law(page, sets):
    slopes_of = page_slopes(page, sets)
    return slopes_of and [reason for _, reason in slopes_of]


class Fit(ctypes.Structure):
    """dls_fit"""

    _fields_ = [(name, ctypes.c_double) for name in ("order", "constant", "ci_low", "ci_high", "h_max", "h_min")] + [
        ("points", ctypes.c_size_t),
        ("dropped_floor", ctypes.c_size_t),
        ("warn_floor", ctypes.c_bool),
        ("warn_preasymptotic", ctypes.c_bool),
        ("halves", ctypes.c_double * 4),
    ]


class Judgement(ctypes.Structure):
    """dls_power_law_check"""

    _fields_ = [("verdict", ctypes.c_int), ("levels", ctypes.c_size_t), ("numbers", ctypes.c_double * 3)]


def order_of(library, points):
    """The fit of `order` to points [log h, log error], and its verdict by the medians of four levels: 0 if the law holds."""

    def array(values):
        return (ctypes.c_double * len(values))(*map(math.exp, values))

    fit, verdict, error = Fit(), Judgement(), ctypes.create_string_buffer(4096)
    count, x, y = ctypes.c_size_t(len(points)), [p[0] for p in points], [p[1] for p in points]
    status = library.dls_fit_order(count, array(x), array(y), ctypes.c_double(0), ctypes.byref(fit), error)
    size, line = len(points) // 4, sorted(points)
    levels = [line[i * size : (i + 1) * size if i < 3 else None] for i in range(4)]
    centres = [statistics.mean(p[0] for p in level) for level in levels]
    medians = [
        statistics.median(p[1] - fit.order * p[0] for p in level) + fit.order * centre
        for level, centre in zip(levels, centres)
    ]
    count = ctypes.c_size_t(4)
    status += library.dls_fit_judge(
        ctypes.byref(fit), count, array(centres), array(medians), ctypes.byref(verdict), error
    )
    check(status == 0, f"no fit of {len(points)} points")
    return fit, verdict.verdict


def visits(lesson, sliders):
    """What a reader may have dropped: all points of each position and measure, and some of them."""
    choose = random.Random(31)
    by_position = {}
    for m, motion in enumerate(lesson["motions"]):
        for r, (errors, *_) in enumerate(motion["runs"]):
            at = positions((m, r), sliders)
            by_position.setdefault(tuple(at[:-1]), []).append((float(sliders[-1]["values"][at[-1]]), errors))
    for at, runs in by_position.items():
        for i, measure in enumerate(lesson["measures"]):
            points = [[math.log(h), math.log(e[i])] for h, e in runs if e and e[i] is not None and e[i] > 0]
            some = [sorted(choose.sample(points, choose.randint(5, len(points)))) for _ in range(3 * (len(points) >= 5))]
            for kept in [points, *some]:
                if len(kept) >= 5 and abs(kept[-1][0] - kept[0][0]) >= math.log(4):
                    yield f"{measure['label']} at {at}, {len(kept)} points", kept


def slopes_as_by_order(page, lesson, sliders, tool):
    """Each slope that the page shows lies in the interval of `order` for the same points, and `order` does not refuse it."""
    sets = list(visits(lesson, sliders))
    shown = page_slopes(page, [points for _, points in sets])
    path = pathlib.Path(tool).resolve().parent.parent / "libdelassus.so"
    try:
        library = ctypes.CDLL(str(path))
    except OSError as why:  # absent, or made for sanitizers
        print(f"slopes not compared with those of order: {why}")
        return
    for (what, points), (slope, reason) in zip(sets, shown or []):
        if reason == "":
            fit, verdict = order_of(library, points)
            check(
                fit.ci_low <= slope <= fit.ci_high and verdict == 0,
                f"{what}: slope {slope}, by order [{fit.ci_low}, {fit.ci_high}], verdict {verdict}",
            )
    count = sum(reason == "" for _, reason in shown or [])
    check(shown is None or len(sets) / 4 <= count, f"{count} slopes of {len(sets)} sets of points")


def laws(page, lesson, sliders):
    """A slope is shown for a power law, also of few and scattered points, and for no plateau."""
    steps = [math.log(0.1) - i * math.log(2) / 2 for i in range(12)]
    scatter = [math.sin(7 * i) for i in range(12)]
    power = [[[h, q * h + 0.2 * s] for h, s in zip(steps, scatter)] for q in (0.5, 1, 2)]
    plateau = [[h, math.log(math.exp(h) + 0.02)] for h in steps]
    flat = [[h, 0.1 * s] for h, s in zip(steps, scatter)]
    reasons = no_law(page, [*power, power[1][:5], plateau, flat])
    check(reasons is None or not any(reasons[:4]) and all(reasons[4:]), f"no slope: {reasons}")
    if lesson["lesson"] == "elastic-bar":  # n = 40 and n = 10: below some h the error is that of the mesh
        at = [points_at(lesson, sliders, position, 0) for position in ([1, 0, 0], [0, 0, 0])]
        reasons = no_law(page, at)
        check(reasons is None or all(reasons), f"a slope over the plateau of the mesh: {reasons}")


def points_at(lesson, sliders, position, of):
    """[log h, log error] of every value of h at a position of the other sliders."""
    steps = [math.log(float(h)) for h in sliders[-1]["values"]]
    runs = [
        lesson["motions"][m]["runs"][r][0]
        for m, motion in enumerate(lesson["motions"])
        for r in range(len(motion["runs"]))
        if positions((m, r), sliders)[:-1] == position
    ]
    return [[h, math.log(errors[of])] for h, errors in zip(steps, runs) if errors and errors[of] > 0]


def slopes(page, lesson, sliders):
    """A number that is a slope is the slope of the points of the page, which shows it."""
    steps = [math.log(float(h)) for h in sliders[-1]["values"]] if "step" not in lesson else []
    for low, high, of, at in re.findall(
        r'data-low="(.*?)" data-high="(.*?)" data-slope-of="(\d)" data-at="(.*?)"', page
    ):
        indices = [
            (m, r)
            for m, motion in enumerate(lesson["motions"])
            for r in range(len(motion["runs"]))
            if positions((m, r), sliders)[:-1] == [int(x) for x in at.split()]
        ]
        check(len(indices) == len(steps), f"data-at={at} is no position of the sliders")
        errors = [math.log(lesson["motions"][m]["runs"][r][0][int(of)]) for m, r in indices]
        mean = sum(steps) / len(steps)
        slope = sum((x - mean) * y for x, y in zip(steps, errors)) / sum((x - mean) ** 2 for x in steps)
        check(float(low) <= slope <= float(high), f"the slope at {at} is {slope}, right are {low} to {high}")
        reasons = no_law(page, [[list(p) for p in zip(steps, errors)]])
        check(reasons in (None, [""]), f"no slope at {at}: {reasons}")


def values(page, lesson, sliders):
    """A number that is an error, or a gain, is that of the run that is meant."""
    for low, high, of, at in re.findall(
        r'data-low="(.*?)" data-high="(.*?)" data-error-of="(\d)" data-at="(.*?)"', page
    ):
        found = [
            run[0][int(of)]
            for m, motion in enumerate(lesson["motions"])
            for r, run in enumerate(motion["runs"])
            if positions((m, r), sliders) == [int(x) for x in at.split()]
        ]
        check(
            len(found) == 1 and float(low) <= found[0] <= float(high),
            f"at {at} there is {found}, right are {low} to {high}",
        )


def words_of(lesson, sliders, at):
    """What follows `delassus run`, and the model with its settings alone."""

    def chosen(role):
        return [(s, s["values"][i]) for s, i in zip(sliders, at) if s["role"] == role]

    sets = [s for s in lesson["settings"].split(";") if s] + [
        f"{s['name']}={v}" for s, v in chosen("parameter")
    ]
    model = (
        [lesson["model"]]
        + [w for s in sets for w in ("--set", s)]
        + [w for _, v in chosen("law") for w in ("--law", v)]
    )
    scheme = chosen("scheme")[0][1] if chosen("scheme") else lesson["scheme"]
    options = ",".join(f"{s['name']}={v}" for s, v in chosen("option"))
    if options:
        scheme += ("," if ":" in scheme else ":") + options
    end = chosen("end")[0][1] if chosen("end") else str(lesson["longest"])
    return model, scheme, lesson.get("step") or chosen("step")[0][1], end


def positions(index, sliders):
    """Of all sliders, for a motion and for a run of it."""
    motion, number = index
    at = [0] * len(sliders)
    for i in reversed(range(len(sliders))):
        count = len(sliders[i]["values"])
        if sliders[i]["role"] in MOTION:
            motion, at[i] = divmod(motion, count)
        else:
            number, at[i] = divmod(number, count)
    return at


def write_rows(path, names, rows):
    path.write_text("\n".join([",".join(["t", *names]), *(",".join(map(repr, r)) for r in rows)]) + "\n")


def distance(tool, a, b, words):
    code, out, err = run(tool, ["distance", a, b, *words])
    check(code == 0, f"distance: {err.strip()}")
    return float(re.search(r"^distance=(.*)$", out, re.M)[1]) if code == 0 else float("nan")


def same_curve(tool, lesson, fresh, nodes, what):
    """In units of the plot: half a part for rounding, and what a chord of smooth curves cuts off."""
    rows = decode(nodes, lesson["panels"], lesson["longest"])
    last = rows[-1][0]
    for row in rows:
        if row[0] == last:  # both end at one time, lest a jump there be in one of them alone
            row[0] = float(column_of(fresh, "t")[-1])
    write_rows(pathlib.Path("page.csv"), [p["column"] for p in lesson["panels"]], rows)
    for panel in lesson["panels"]:
        values = [float(x) for x in column_of(fresh, panel["column"])]
        span = panel["high"] - panel["low"]
        if min(values) < panel["low"] or max(values) > panel["high"]:
            continue  # drawn along the edge
        far = distance(
            tool,
            fresh,
            "page.csv",
            [
                "--column",
                panel["column"],
                "--norm",
                "hausdorff",
                "--tau",
                str(lesson["longest"]),
                "--xi",
                str(span),
            ],
        )
        check(far <= 3e-3, f"{what}: {panel['column']} is {far} of the plot away from a fresh run")


def column_of(path, name):
    lines = [line for line in pathlib.Path(path).read_text().splitlines() if not line.startswith("#")]
    place = lines[0].split(",").index(name)
    return [line.split(",")[place] for line in lines[1:]]


def contact_figures(tool, model, scheme, step, end):
    """The row of quality.csv of this very step."""
    shutil.rmtree("figures", ignore_errors=True)
    words = ["order", *model, "--scheme", scheme, "--steps", f"{step}:{float(step) / 2}:2", "--repeats", "1", "--end", end]
    code, _, err = run(tool, [*words, "--norm", "l1", "--of", "q", "--reference", "limit", "--out", "figures", "--plot-format", "none"])
    check(code == 0, f"{shlex.join(words)}: {err}")
    names = pathlib.Path("figures/quality.csv").read_text().splitlines()[0].split(",")
    return {name: float(column_of("figures/quality.csv", name)[0]) for name in names if name not in ("model", "scheme", "options")}


def same_contacts(tool, lesson, model, scheme, step, end, errors, what):
    figures = contact_figures(tool, model, scheme, step, end)
    check(abs(figures["step"] - float(step)) <= 1e-12, f"{what}: step {figures['step']}")
    for measure, error in zip(lesson["measures"], errors):
        found = figures[measure["of"]]
        same = math.isnan(found) if error is None else abs(found - error) <= 1e-3 * abs(found) + 1e-12
        check(same, f"{what}: {measure['of']} is {found}, the page says {error}")


def same_errors(tool, lesson, model, fresh, errors, end, what):
    derived = any(measure["of"] == "energy" for measure in lesson["measures"])
    if derived or run(tool, ["exact", *model, "--end", end, "--out", "exact.csv"])[0] != 0:
        words = ["--columns", "q,v,energy"] if derived else []
        code, _, err = run(
            tool,
            ["run", *model, "--scheme", "event-driven:tol=1e-11", "--end", end, "--out", "exact.csv", *words],
        )
        check(code == 0, f"{what}: {err}")
    for measure, error in zip(lesson["measures"], errors):
        if error is None:
            continue
        if measure["norm"] == "gain":
            values = [float(x) for x in column_of(fresh, measure["of"])]
            check(
                abs(values[-1] / values[0] - error) <= 1e-3 * error,
                f"{what}: gain {values[-1] / values[0]}, the page says {error}",
            )
            continue
        far = distance(tool, fresh, "exact.csv", ["--column", measure["of"], "--norm", measure["norm"]])
        check(
            abs(far - error) <= 2e-3 * abs(error) + (1e-9 if derived else 1e-12),
            f"{what}: {measure['norm']} of {measure['of']} is {far}, the page says {error}",
        )


def same_run(tool, lesson, sliders, index):
    errors, nodes, *failed = lesson["motions"][index[0]]["runs"][index[1]]
    model, scheme, step, end = words_of(lesson, sliders, positions(index, sliders))
    words = ["run", *model, "--scheme", scheme, "--step", step, "--end", end, "--out", "fresh.csv"]
    derived = [p["column"] for p in lesson["panels"] if not re.fullmatch(r"[a-z]+\d+", p["column"])]
    if derived:
        words += ["--columns", "q,v,u," + ",".join(derived)]
    what = shlex.join(words)
    code, _, err = run(tool, words)
    check((code != 0) == bool(failed), f"{what}: exit status {code}, the page says {failed or 'done'}")
    if code == 0 and not failed:
        same_curve(tool, lesson, "fresh.csv", nodes, what)
        if all(measure["norm"] == "contact" for measure in lesson["measures"]):
            same_contacts(tool, lesson, model, scheme, step, end, errors, what)
        else:
            same_errors(tool, lesson, model, "fresh.csv", errors, end, what)


def main():
    tool, path = sys.argv[1:3]
    page = pathlib.Path(path).read_text(encoding="utf-8")
    stands_alone(page)
    asks(page)
    tables = re.search(r'<script type="application/json" id="tables">\n(.*?)</script>', page, re.S)[1]
    lesson = json.loads(tables)
    sliders = [{**s, "values": s["values"].split(";")} for s in lesson["sliders"]]
    runs = [(m, r) for m, motion in enumerate(lesson["motions"]) for r in range(len(motion["runs"]))]
    count = 1
    for s in sliders:
        count *= len(s["values"])
        check(0 <= s["start"] < len(s["values"]), f"slider {s['label']} starts at {s['start']}")
    check(len(runs) == count, f"{len(runs)} runs for {count} positions")
    slopes(page, lesson, sliders)
    if "step" not in lesson and not lesson.get("plain"):
        laws(page, lesson, sliders)
        slopes_as_by_order(page, lesson, sliders, tool)
    values(page, lesson, sliders)
    stride = max(len(runs) // CHECKED, 1)
    for index in runs[stride // 3 :: stride]:
        same_run(tool, lesson, sliders, index)
    print("\n".join(failures) or f"{path}: {len(page.encode())} bytes, {len(runs)} runs")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
