"""A file knows its own room and those below it, and no others: python3 test_floors.py SOURCE-FOLDER [BUILD-FOLDER].

Checks the headers that a file includes. With a build folder it also checks the symbols that each object file uses (nm), which
shows what includes hide: a declaration written by hand, and a definition that the linker puts in the place of a library's.
The rooms and what each may know are drawn in docs/adding.md. Public headers belong to the room that PUBLIC says.
SPDX-License-Identifier: GPL-3.0-or-later"""

import collections
import pathlib
import re
import subprocess
import sys

COMMON = ["base", "linear", "solve", "system", "contact", "run", "models"]
# room: the rooms it may know beside its own
KNOWS = {
    "common/base": [],
    "common/linear": ["common/base"],
    "common/solve": ["common/base", "common/linear"],
    "common/system": ["common/base", "common/linear"],
    "common/contact": ["common/base", "common/linear", "common/solve", "common/system"],
    "common/run": ["common/base", "common/linear", "common/system", "common/contact"],
    "common/models": ["common/base", "common/linear", "common/system", "common/contact"],
}
ALL_COMMON = [f"common/{room}" for room in COMMON]
KNOWS["event_driven"] = ALL_COMMON
KNOWS["time_stepping/step"] = ALL_COMMON
for family in ["moreau", "newmark", "position", "penalty", "soft", "impulse", "runge_kutta", "galerkin", "multibody", "convex"]:
    KNOWS[f"time_stepping/{family}"] = ALL_COMMON + ["time_stepping/step"]
KNOWS["time_stepping/batch"] = ALL_COMMON + [f"time_stepping/{room}" for room in ["step", "moreau", "newmark", "position", "runge_kutta", "adaptive"]]
KNOWS["time_stepping/adaptive"] = ALL_COMMON + [f"time_stepping/{room}" for room in ["step", "moreau", "newmark"]]
KNOWS["analytic"] = ALL_COMMON
KNOWS["analytic/rigorous"] = ["common/base"]
EXPERIMENTS = ALL_COMMON + ["event_driven", "analytic"] + [r for r in KNOWS if r.startswith("time_stepping")]
KNOWS["experiments/request/yaml"] = ALL_COMMON
for room in ["contact_files", "cite", "verify"]:  # of experiments/extra: what is loaded on demand
    KNOWS[f"experiments/extra/{room}"] = ALL_COMMON
KNOWS["experiments/extra/foreign"] = ALL_COMMON + ["experiments/request/yaml"]
KNOWS["experiments/request/mechanism"] = ALL_COMMON + ["experiments/request/yaml"]


# room of experiments/measures: the rooms there that it may know
MEASURES = {
    "motion": [],
    "order": ["motion"],
    "energy": ["order"],
    "spectrum": ["order"],
    "judge": ["order", "motion"],
    "advise": ["order", "energy"],
    "ledger": ["order"],
    "sweep": ["order", "energy"],
    "cycle": [],
    "model": [],
    "gradient": [],
    "fit": ["gradient"],
    "story": ["motion"],
}


def rooms_of(*names):
    """Rooms of experiments by their names. "measures" stands for all of its rooms."""
    return [f"experiments/{name}" for name in names if name != "measures"] + [
        f"experiments/measures/{room}" for room in MEASURES if "measures" in names
    ]


def experiments(*rooms):
    return EXPERIMENTS + rooms_of(*rooms)


KNOWS["experiments/catalogue"] = experiments("request/mechanism", "extra/foreign")
KNOWS["experiments/campaign"] = experiments("request/yaml", "extra/foreign", "catalogue")
for room, others in MEASURES.items():
    KNOWS[f"experiments/measures/{room}"] = experiments(
        "request/yaml", "extra/foreign", "catalogue", "campaign", *[f"measures/{other}" for other in others]
    )
KNOWS["experiments/show"] = ALL_COMMON + ["analytic"] + rooms_of("request/yaml", "extra/foreign", "campaign", "measures")
KNOWS["experiments/extra/module"] = experiments("show")
KNOWS["experiments/extra/lesson"] = experiments("extra/foreign", "catalogue", "campaign", "measures", "show", "extra/module")
KNOWS["experiments/extra/playground"] = experiments("extra/foreign", "catalogue", "campaign", "measures", "show", "extra/module")
KNOWS["experiments/request"] = experiments("request/yaml", "extra/foreign", "request/mechanism", "catalogue", "campaign", "measures")
KNOWS["experiments/api"] = experiments(
    "request/yaml", "request/mechanism", "catalogue", "campaign", "measures", "request", "show", "extra/foreign", "extra/lesson"
)
EXTRA = [f"extra/{room}" for room in ["contact_files", "cite", "verify", "foreign", "lesson", "module", "playground"]]
KNOWS["experiments/cli"] = experiments("request/yaml", "catalogue", "campaign", "measures", "show", "request", "api", *EXTRA) + [
    "analytic/rigorous"
]

PUBLIC = {
    "common/base": "counters error interval option",
    "common/linear": "matrix",
    "common/solve": "lcp problem",
    "common/system": "direction mesh model sketch",
    "common/contact": "delassus_operator contact_mode joints law configuration contact_system",
    "common/run": "limit many measures scheme sensitivity sim trajectory balance warning",
    "common/models": "matrix_market",
    "analytic": "bar_wave exact fit graph",
    "experiments/catalogue": "catalogue choice plugin",
    "experiments/campaign": "output",
    "experiments/measures/order": "quality study work",
    "experiments/measures/energy": "energy",
    "experiments/show": "animate plot vtu",
    "experiments/request": "study_file",
    "experiments/extra/contact_files": "contact_file",
    "experiments/api": "flat delassus",
}
# Uses of symbols that break the rule today, as (file, symbol, reason): a row is deleted when its reason is gone.
KNOWN_USES = [
    ("time_stepping/*/*", r"dls_(theta|newmark|paoli|rk|extrapolated)_(glide|advance_batch)", "an entry names the batch path that is made of its own terms"),
]
# An entry (model, scheme, law, exact solution) has no header: whoever may know its room may declare it.
ENTRY = re.compile(r"dls_(model|scheme|law|exact)_\w+")
FLOORS = ("common", "event_driven", "time_stepping", "analytic", "experiments")

ROOM_OF_HEADER = {name: room for room, names in PUBLIC.items() for name in names.split()}
# The one header that stands for all of them.
EVERYTHING = {"delassus"}


def room_of(path):
    """The longest room that the path lies in."""
    rooms = [room for room in KNOWS if path == room or path.startswith(room + "/")]
    return max(rooms, key=len, default=None)


def room_of_include(line, path):
    found = re.match(r'\s*#\s*include\s+(?:"([^"]+)"|<delassus/([^>]+)\.h>)', line)
    if not found:
        return None
    private, public = found.groups()
    if public is not None:
        return ROOM_OF_HEADER.get(public, f"no room for <delassus/{public}.h>")
    return room_of(private) or f"no room for {private}"


def wrong_includes(root):
    for path in sorted(root.glob("*/**/*.[ch]")):
        name = path.relative_to(root).as_posix()
        room = ROOM_OF_HEADER.get(path.stem) if "/delassus/" in name else room_of(name)
        if path.stem in EVERYTHING or name.split("/")[0] not in FLOORS:
            continue
        if room is None:
            yield f"{name}: lies in no room"
            continue
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            other = room_of_include(line, name)
            if other is not None and other != room and other not in KNOWS[room]:
                yield f"{name}:{number}: {room} may not know {other}: {line.strip()}"


def hand_written(root):
    """Declarations in a .c file of what another file defines: they belong in a header."""
    for floor in FLOORS:
        for path in sorted((root / floor).rglob("*.c")):
            text = path.read_text(encoding="utf-8")
            for found in re.finditer(r"^[ \t]*extern\b(?! \"C\")([^;{]*);", text, re.M):
                for symbol in re.findall(r"\bdls_\w+(?=\s*(?:[,([]|$))", found.group(1)):
                    if not ENTRY.fullmatch(symbol):
                        number = text.count("\n", 0, found.start()) + 1
                        yield f"{path.relative_to(root)}:{number}: declares {symbol} by hand"


def objects(root, build):
    """(name of the source, object file) of what the library and the tool are built of. Objects whose source is gone are left out."""
    for folder in [*(f"dls_{floor}" for floor in FLOORS), "dls_suitesparse", "delassus"]:
        base = build / "CMakeFiles" / f"{folder}.dir"
        for path in sorted(base.rglob("*.o")):
            name = path.relative_to(base).as_posix()[: -len(".o")]
            if (root / name).is_file():
                yield name, path


def symbols(paths):
    """For each path what it defines and what it uses, by one call of nm for many files."""
    for first in range(0, len(paths), 200):
        some = paths[first : first + 200]
        out = subprocess.run(["nm", "-A", "-P", "-g", *map(str, some)], capture_output=True, text=True, check=True).stdout
        table = collections.defaultdict(lambda: (set(), set()))
        for line in out.splitlines():
            path, symbol, kind = re.match(r"(.*?)(?:\[[^]]*\])?: (\S+) (\S)", line).groups()
            table[path][kind in "Uw"].add(symbol)
        for path in some:
            yield table[str(path)]


def wrong_symbols(root, build):
    names, paths = zip(*objects(root, build))
    table = dict(zip(names, symbols(list(paths))))
    home = {symbol: name for name, (defined, _) in table.items() for symbol in defined}
    met = set()
    for name, (_, used) in table.items():
        room = room_of(name)
        for symbol in sorted(used & home.keys()):
            other = room_of(home[symbol])
            if room is None or other is None or other == room or other in KNOWS[room]:
                continue
            known = [row for row in KNOWN_USES if pathlib.PurePath(name).match(row[0]) and re.fullmatch(row[1], symbol)]
            met.update(known)
            if not known:
                yield f"{name}: {room} may not know {other}: it uses {symbol} of {home[symbol]}"
    for row in KNOWN_USES:
        if row not in met:
            print(f"KNOWN_USES: nothing uses {row[1]} in {row[0]} in this build: delete the row if that is so in every build")


def main():
    root = pathlib.Path(sys.argv[1])
    wrong = [*wrong_includes(root), *hand_written(root)]
    if len(sys.argv) > 2:
        wrong += wrong_symbols(root, pathlib.Path(sys.argv[2]))
    print("\n".join(wrong) or "every include and every symbol goes to its own room or below")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
