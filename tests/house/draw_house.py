"""The picture of the house on docs/house.md, drawn from the includes: python3 draw_house.py SOURCE-FOLDER [--write]

Draws every room above all rooms whose headers it includes, and lists these. Without --write it checks that the page has this picture,
and that every file and folder named there, on docs/adding.md and in CONTRIBUTING.md exists.
SPDX-License-Identifier: GPL-3.0-or-later"""

import pathlib
import re
import sys

from test_floors import FLOORS, KNOWS, ROOM_OF_HEADER, room_of, room_of_include

BEGIN, END = "<!-- drawn by tests/house/draw_house.py -->\n", "<!-- end of the drawing -->\n"


def arrows(root):
    """room: the other rooms whose headers its files include."""
    uses = {room: set() for room in KNOWS}
    for floor in FLOORS:
        for path in (root / floor).rglob("*.[ch]"):
            name = path.relative_to(root).as_posix()
            room = ROOM_OF_HEADER.get(path.stem) if "/delassus/" in name else room_of(name)
            for line in path.read_text(encoding="utf-8").splitlines():
                other = room_of_include(line, name)
                if room in uses and other in uses and other != room:
                    uses[room].add(other)
    return {room: others for room, others in uses.items() if (root / room).is_dir()}


def heights(uses):
    """The longest way down from each room. Rooms that know each other are at one height."""
    reach = {room: set(others) for room, others in uses.items()}
    for middle in reach:
        for room in reach:
            if middle in reach[room]:
                reach[room] |= reach[middle]
    below = {room: {o for o in reach[room] if o in reach and room not in reach[o]} for room in reach}
    height = {}

    def high(room):
        if room not in height:
            height[room] = 1 + max((high(other) for other in below[room]), default=-1)
        return height[room]

    for room in below:
        high(room)
    return height


def short(room):
    return room.split("/", 1)[1] if "/" in room else room


def floor_lines(uses, floor):
    rooms = [room for room in uses if room.split("/")[0] == floor]
    height = heights({room: {o for o in uses[room] if o in rooms} for room in rooms})
    for level in sorted(set(height.values()), reverse=True):
        yield "   " + "   ".join(f"[ {short(room)} ]" for room in sorted(rooms) if height[room] == level)


def drawing(root):
    uses = arrows(root)
    lines = ["```"]
    for floors in (("experiments",), ("event_driven", "time_stepping", "analytic"), ("common",)):
        for floor in floors:
            lines += [floor, *floor_lines(uses, floor)] if any("/" in r for r in uses if r.split("/")[0] == floor) else [floor]
        lines.append("-" * 100)
    lines[-1] = "```"
    lines += ["", "| room | includes headers of |", "| --- | --- |"]
    for room in sorted(uses, key=lambda r: (FLOORS.index(r.split("/")[0]), r)):
        own = [f"`{short(o)}`" for o in sorted(uses[room]) if o.split("/")[0] == room.split("/")[0]]
        floors = [f"floor `{f}`" for f in FLOORS if f != room.split("/")[0] and any(o.split("/")[0] == f for o in uses[room])]
        lines.append(f"| `{room}` | {', '.join(own + floors) or 'no other room'} |")
    return "\n".join(lines) + "\n"


def missing(root, text):
    """Paths in code quotes that do not exist; {a,b}.c stands for two files, and a path with capitals, * or <> for none."""
    for name in re.findall(r"`([\w{},./-]+/[\w{},.-]*)`", text):
        if re.search(r"[A-Z]{3}", name):
            continue
        group = re.search(r"\{([^}]*)\}", name)
        for part in group.group(1).split(",") if group else [""]:
            path = name.replace(group.group(0), part) if group else name
            headers = root.glob(f"*/{path}") if path.startswith("delassus/") else ()
            if not (root / path).exists() and not any(headers):
                yield path


def main():
    root = pathlib.Path(sys.argv[1])
    page = root / "docs" / "house.md"
    text = page.read_text(encoding="utf-8")
    before, rest = text.split(BEGIN)
    after = rest.split(END)[1]
    drawn = before + BEGIN + drawing(root) + END + after
    if "--write" in sys.argv:
        page.write_text(drawn, encoding="utf-8")
        text = drawn
    texts = {"docs/house.md": before + after}
    texts |= {name: (root / name).read_text(encoding="utf-8") for name in ("docs/adding.md", "CONTRIBUTING.md")}
    wrong = [f"{page} names {name}, which does not exist" for page, text_of in texts.items() for name in missing(root, text_of)]
    if drawn != text:
        wrong.append("docs/house.md has an old picture: python3 tests/house/draw_house.py . --write")
    print("\n".join(wrong) or "the picture is that of the includes, and every file on the page exists")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
