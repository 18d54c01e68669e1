"""A file includes headers of its own room and of those below it, and no others: python3 test_floors.py SOURCE-FOLDER.

The rooms and what each may know are drawn in docs/adding.md. Public headers belong to the room that PUBLIC says.
SPDX-License-Identifier: GPL-3.0-or-later"""

import pathlib
import re
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
for family in ["moreau", "newmark", "position", "penalty", "runge_kutta", "galerkin", "multibody"]:
    KNOWS[f"time_stepping/{family}"] = ALL_COMMON + ["time_stepping/step"]
KNOWS["time_stepping/batch"] = ALL_COMMON + [f"time_stepping/{room}" for room in ["step", "moreau", "newmark", "position"]]
KNOWS["time_stepping/adaptive"] = ALL_COMMON + [f"time_stepping/{room}" for room in ["step", "moreau", "newmark"]]
KNOWS["analytic"] = ALL_COMMON
KNOWS["analytic/rigorous"] = ["common/base"]
EXPERIMENTS = ALL_COMMON + ["event_driven", "analytic"] + [r for r in KNOWS if r.startswith("time_stepping")]
KNOWS["experiments/request/yaml"] = ALL_COMMON
KNOWS["experiments/foreign"] = ALL_COMMON + ["experiments/request/yaml"]
KNOWS["experiments/request/mechanism"] = ALL_COMMON + ["experiments/request/yaml"]
KNOWS["experiments/catalogue"] = EXPERIMENTS + ["experiments/request/mechanism", "experiments/foreign"]
KNOWS["experiments/study"] = EXPERIMENTS + ["experiments/request/yaml", "experiments/foreign", "experiments/catalogue"]
KNOWS["experiments/show"] = ALL_COMMON + ["analytic", "experiments/foreign", "experiments/study"]
KNOWS["experiments/lesson"] = EXPERIMENTS + [f"experiments/{room}" for room in ["foreign", "catalogue", "study", "show"]]
KNOWS["experiments/judge"] = EXPERIMENTS + ["experiments/request/yaml", "experiments/foreign", "experiments/study"]
KNOWS["experiments/request"] = EXPERIMENTS + [
    f"experiments/{room}" for room in ["request/yaml", "foreign", "request/mechanism", "catalogue", "study", "judge"]
]
KNOWS["experiments/extra/contact_files"] = ALL_COMMON
KNOWS["experiments/api"] = EXPERIMENTS + ["experiments/request/yaml", "experiments/catalogue", "experiments/study", "experiments/judge"]
KNOWS["experiments/cli"] = EXPERIMENTS + [
    f"experiments/{room}"
    for room in ["request/yaml", "foreign", "catalogue", "study", "judge", "show", "lesson", "request", "extra/contact_files", "api"]
] + ["analytic/rigorous"]

PUBLIC = {
    "common/base": "counters error interval option",
    "common/linear": "matrix",
    "common/solve": "lcp problem",
    "common/system": "mesh model sketch",
    "common/contact": "delassus_operator grip joints law place stage",
    "common/run": "many measures scheme sim trajectory balance warning",
    "common/models": "matrix_market",
    "analytic": "bar_wave exact fit graph",
    "experiments/catalogue": "catalogue choice plugin",
    "experiments/study": "energy output quality study work",
    "experiments/show": "animate plot vtu",
    "experiments/request": "study_file",
    "experiments/extra/contact_files": "contact_file",
    "experiments/api": "flat delassus",
}
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
        if path.stem in EVERYTHING or name.split("/")[0] not in ("common", "event_driven", "time_stepping", "analytic", "experiments"):
            continue
        if room is None:
            yield f"{name}: lies in no room"
            continue
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            other = room_of_include(line, name)
            if other is not None and other != room and other not in KNOWS[room]:
                yield f"{name}:{number}: {room} may not know {other}: {line.strip()}"


def main():
    wrong = list(wrong_includes(pathlib.Path(sys.argv[1])))
    print("\n".join(wrong) or "every include goes to its own room or below")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
