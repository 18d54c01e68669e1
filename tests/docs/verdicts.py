"""No verdict contradicts its own numbers: verdicts.py FOLDER... reads every orders.csv, slopes.csv and verdict.csv below,
and the tables of orders that commands have printed into files "printed" or *.txt. verdicts.py --self checks that the known
contradictions are found.

SPDX-License-Identifier: GPL-3.0-or-later"""

import csv
import math
import pathlib
import re
import sys
import tempfile

WIDEST = 0.5  # of the narrower interval of an order that is consistent (docs/reference/order-study.md)


def expected(published, intervals):
    """The verdict that follows from the intervals."""
    ends = [(low, high) for low, high in intervals if not math.isnan(low)]
    if any(low <= published <= high for low, high in ends):
        return "consistent with" if min(high - low for low, high in ends) < WIDEST else "not decided"
    if all(low > published for low, _ in ends):
        return "above"
    return "below" if all(high < published for _, high in ends) else "not decided"


def stem(verdict):
    return re.match(r"consistent with|above|below|not decided", verdict)[0]


def check_fit(value, low, high, reason):
    """A slope with its interval, or the reason why there is none."""
    if "nan" in reason:
        return f"reason '{reason}'"
    if math.isnan(value) == (reason == ""):
        return f"value {value} and reason '{reason}'"
    if not math.isnan(value) and not (low <= value <= high and (low > 0 or high < 0)):
        return f"{value} with the interval [{low}, {high}]"
    contains = re.match(r"its 95 % interval, (\S+) to (\S+), contains 0", reason)
    if contains and not float(contains[1]) <= 0 <= float(contains[2]):
        return f"reason '{reason}'"
    return ""


def check_order(row):
    n = {k: float(row[k]) for k in ("order", "ci_low", "ci_high", "median_ci_low", "median_ci_high", "published")}
    wrong = check_fit(n["order"], n["ci_low"], n["ci_high"], row["reason"])
    judged = not math.isnan(n["order"]) and not math.isnan(n["published"])
    if wrong or judged != (row["agreement"] != ""):
        return wrong or f"verdict '{row['agreement']}' with order {row['order']}, published {row['published']}"
    intervals = [(n["ci_low"], n["ci_high"]), (n["median_ci_low"], n["median_ci_high"])]
    if judged and stem(row["agreement"]) != expected(n["published"], intervals):
        return f"'{row['agreement']}' with the intervals {intervals}"
    return ""


def check_slope(row):
    return check_fit(float(row["slope"]), float(row["ci_low"]), float(row["ci_high"]), row["reason"])


def check_expectation(row):
    low, high = (float(row[k]) if row[k] else sign * math.inf for k, sign in (("low", -1), ("high", 1)))
    value = float(row["value"])
    inside = low <= value <= high  # false for NaN
    return "" if inside == (row["agrees"] == "yes") else f"agrees: {row['agrees']}, {value} in [{low}, {high}]"


def rows_of(path):
    with path.open(encoding="utf-8", newline="") as file:
        yield from csv.DictReader(line for line in file if not line.startswith("#"))


INTERVAL = r"\[(-?[\d.]+), (-?[\d.]+)\]"
PRINTED_ROW = re.compile(rf"{INTERVAL}\s+(?:-?[\d.]+|-)\s+(?:{INTERVAL}|-)\s+.*?((?:consistent with|above|below) ([\d.]+))")


def check_printed(line):
    found = PRINTED_ROW.search(line)
    if "error nan" in line or "no order: nan" in line:
        return "nan"
    if not found:
        return ""
    numbers = [float(x) if x else math.nan for x in found.groups()[:4]]
    asked = expected(float(found[6].rstrip(".")), [tuple(numbers[:2]), tuple(numbers[2:])])
    return "" if stem(found[5]) == asked else f"'{found[5]}' with the intervals {numbers}"


def check_folder(folder):
    """@return number of rows checked, and what contradicts itself"""
    checks = {"orders.csv": check_order, "slopes.csv": check_slope, "verdict.csv": check_expectation}
    count, failures = 0, []
    for path in sorted(pathlib.Path(folder).rglob("*")):
        if path.name in checks and path.is_file():
            for number, row in enumerate(rows_of(path), 2):
                if path.name == "orders.csv" and "agreement" not in row:
                    continue  # of a sweep or of local errors
                count += 1
                wrong = checks[path.name](row)
                if wrong:
                    failures.append(f"{path}:{number}: {wrong}")
        elif (path.name == "printed" or path.suffix == ".txt") and path.is_file():
            for number, line in enumerate(path.read_text(encoding="utf-8", errors="replace").splitlines(), 1):
                wrong = check_printed(line)
                count += PRINTED_ROW.search(line) is not None
                if wrong:
                    failures.append(f"{path}:{number}: {wrong}")
    return count, failures


ORDERS = "model,scheme,norm,of,order,ci_low,ci_high,h_max,h_min,points,reason,median_order,median_ci_low,median_ci_high,published,agreement"
NOTHING = "nan,nan,nan,nan,nan,0"
GOOD = {
    "orders.csv": (
        ORDERS,
        "ball,a,l1,v,0.907,0.886,0.928,0.1,0.001,48,,0.932,0.902,0.962,1,below 1",
        "ball,a,l1,v,0.907,0.886,0.928,0.1,0.001,48,,0.96,0.92,1.02,1,consistent with 1",
        "ball,a,l1,v,0.9,0.5,1.2,0.1,0.001,48,,nan,nan,nan,1,not decided",
        "ball,a,l1,v,0.907,0.886,0.928,0.1,0.001,48,,0.932,0.902,0.962,nan,",
        f"ball,a,l1,v,{NOTHING},at its floor: no error above 1e-12,nan,nan,nan,1,",
    ),
    "slopes.csv": ("slope,ci_low,ci_high,reason", "-1.1,-1.2,-1,", "nan,nan,nan,medians off any line"),
    "verdict.csv": ("value,low,high,agrees", "1,,2,yes", "nan,1,2,no", "3,,2,no"),
    "printed": ("  x  l1  v  0.907  [0.886, 0.928]  0.932  [0.902, 0.962]  below 1", "  y  q  0.9  [0.5, 0.999]  -  -  below 1"),
}
BAD = {
    "orders.csv": (
        ORDERS,
        "ball,a,l1,v,0.907,0.886,0.928,0.1,0.001,48,,0.932,0.902,0.962,1,consistent with 1",
        "ball,a,l1,v,0.9,0.5,1.2,0.1,0.001,48,,nan,nan,nan,1,consistent with 1",
        "ball,a,l1,v,0.9,0.8,1.2,0.1,0.001,48,,nan,nan,nan,1,below 1",
        "ball,a,l1,v,0.9,0.8,1.2,0.1,0.001,48,,nan,nan,nan,1,not decided",
        "ball,a,l1,v,0.9,0.8,1.2,0.1,0.001,48,,nan,nan,nan,1,",
        "ball,a,l1,v,0.9,-0.8,1.2,0.1,0.001,48,,nan,nan,nan,nan,",
        f"ball,a,l1,v,{NOTHING},does not converge: error nan at every step,nan,nan,nan,1,",
        f"ball,a,l1,v,{NOTHING},,nan,nan,nan,1,",
    ),
    "slopes.csv": ("slope,ci_low,ci_high,reason", "-1.1,-1.2,0.1,", "nan,nan,nan,", "1,1,1,plateau"),
    "verdict.csv": ("value,low,high,agrees", "1,,2,no", "nan,1,2,yes", "3,,2,yes"),
    "printed": ("  x  l1  v  0.907  [0.886, 0.928]  0.932  [0.902, 0.962]  consistent with 1",
                "  x  l1  v  1.000  [1.000, 1.000]  1.000  [1.000, 1.000]  below 1",
                "  does not converge: error nan"),
}


def check_self():
    for tables, wrong in ((GOOD, 0), (BAD, None)):
        for name, lines in tables.items():
            with tempfile.TemporaryDirectory() as folder:
                (pathlib.Path(folder) / name).write_text("\n".join(lines) + "\n", encoding="utf-8")
                failures = check_folder(folder)[1]
            header = name != "printed"
            assert len(failures) == (len(lines) - header if wrong is None else wrong), (name, failures)


def main():
    if sys.argv[1:] == ["--self"]:
        check_self()
        return 0
    count, failures = 0, []
    for folder in sys.argv[1:]:
        rows, wrong = check_folder(folder)
        count += rows
        failures += wrong
    print(*failures, f"{count} verdicts, {len(failures)} that their numbers contradict", sep="\n")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
