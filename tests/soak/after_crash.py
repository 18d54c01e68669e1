#!/usr/bin/env python3
"""after_crash.py TRACE FOLDER count | POINT SEED -- what a power loss leaves of the FOLDER that a traced command wrote into.

TRACE is `strace -f -y -xx -s 10000000 -e trace=file,desc`, taken in the current folder; FOLDER as it was before the command.
`count` prints the number of calls that change something. POINT SEED makes FOLDER as a disk may hold it that lost its
power behind call POINT (1 .. count): what was synchronised is there; of each later write any part, in any order, with
zeros where a file has grown over a write that is lost; of the later names in a folder some first ones, or (odd seeds) any.
Seed 0 loses all, and -1 nothing, as a check of this program. Prints each file whose contents no reader may find: neither
of those that it had when it got its name, nor when FOLDER was handed over.
Standard input and output go through the kernel's calls as everything else, which a preloaded library would not see.
SPDX-License-Identifier: GPL-3.0-or-later"""
import os
import random
import re
import shutil
import sys

CALL = re.compile(r"^(\d+) +(\w+)\((.*)\) += (-?\d+)(?:<(.*?)>)?( .*)?$")
TEXT = re.compile(r'"((?:\\x[0-9a-f]{2})*)"')


def decoded(text):
    return bytes.fromhex(text.replace("\\x", ""))


class File:
    """Contents as they are, as they are on the disk, and the writes between; `named` are those under which it had a name."""

    def __init__(self, data=b""):
        self.data, self.disk, self.pending, self.named = bytearray(data), bytes(data), [], [bytes(data)]

    def write(self, at, data):
        self.data[at:at + len(data)] = data
        self.pending.append((at, data))

    def cut(self, size):
        del self.data[size:]
        self.data.extend(bytes(size - len(self.data)))
        self.pending.append((size, None))

    def synchronise(self):
        self.disk, self.pending = bytes(self.data), []

    def crashed(self, dice, seed):
        if seed <= 0:
            return self.disk if seed == 0 else bytes(self.data)
        left = bytearray(self.disk)
        for at, data in self.pending if seed % 3 else dice.sample(self.pending, len(self.pending)):
            fate = dice.choice(("lost", "zeros", "whole", "torn"))
            if data is None:
                del left[at:]
            elif fate != "lost":
                some = len(data) if fate != "torn" else dice.randrange(len(data) + 1)
                left.extend(bytes(max(0, at + len(data) - len(left))) if fate == "zeros" else bytes(max(0, at - len(left))))
                if fate != "zeros":
                    left[at:at + some] = data[:some]
        return bytes(left)


class Disk:
    def __init__(self, folder):
        self.root = os.path.realpath(folder).encode()
        self.names, self.pending, self.moments = {}, [], 0
        self.folders = {self.root}
        self.open = {}  # (process, descriptor) -> file; -y tells a name that a descriptor had, which others may bear now
        self.places = {}  # (process, descriptor) -> next byte; None: appended
        for path, _, files in os.walk(self.root):
            self.folders.add(path)
            for name in files:
                name = os.path.join(path, name)
                with open(name, "rb") as file:
                    self.names[name] = File(file.read())
        self.disk = dict(self.names), set(self.folders)

    def ours(self, path):
        return path is not None and path.startswith(self.root + b"/")

    def change(self, folder, name, file):
        """name in folder leads to file, to nothing (None), or is a folder ("folder")."""
        self.pending.append((folder, name, file))
        self.apply((self.names, self.folders), name, file)

    @staticmethod
    def apply(state, name, file):
        if file == "folder":
            state[1].add(name)
        elif file is None:
            state[0].pop(name, None)
        else:
            state[0][name] = file

    def synchronise(self, folder):
        for one in [p for p in self.pending if p[0] == folder]:
            self.apply(self.disk, *one[1:])
        self.pending = [p for p in self.pending if p[0] != folder]

    def crashed(self, dice, seed):
        names, folders = dict(self.disk[0]), set(self.disk[1])
        kept = {0: 0, -1: len(self.pending)}.get(seed, dice.randrange(len(self.pending) + 1))
        for i, one in enumerate(self.pending):
            if dice.random() < 0.5 if seed > 0 and seed % 2 else i < kept:
                self.apply((names, folders), *one[1:])
        return names, folders


def handle_open(disk, process, paths, arguments, result):
    path = paths[-1]
    if not disk.ours(path) or "O_DIRECTORY" in arguments:
        return False
    file, made = disk.names.get(path), False
    if file is None and "O_CREAT" in arguments:
        file, made = File(), True
        disk.change(os.path.dirname(path), path, file)
    elif file is not None and "O_TRUNC" in arguments:
        file.cut(0)
        made = True
    disk.open[process, result] = file
    disk.places[process, result] = None if "O_APPEND" in arguments else 0
    return made


def handle_name(disk, call, paths):
    source, target = paths[0], paths[-1]
    if not disk.ours(target):
        return False
    if call.startswith("mkdir"):
        disk.change(os.path.dirname(target), target, "folder")
    elif call.startswith("unlink"):
        disk.change(os.path.dirname(target), target, None)
    else:
        file = disk.names[source]
        file.named.append(bytes(file.data))
        disk.change(os.path.dirname(target), target, file)
        if call.startswith("rename"):
            disk.change(os.path.dirname(source), source, None)
    return True


def handle_descriptor(disk, process, call, arguments, result):
    match = re.match(r"(\d+)<((?:\\x[0-9a-f]{2})+)>", arguments)
    path = decoded(match.group(2)) if match else None
    if not disk.ours(path) and path not in disk.folders:
        return False
    key = process, int(match.group(1))
    file = disk.open.get(key)
    if call in ("fsync", "fdatasync"):
        if path in disk.folders:
            disk.synchronise(path)
        elif file is not None:
            file.synchronise()
        return file is not None or path in disk.folders
    if file is None:
        return False
    if "F_DUPFD" in arguments and call == "fcntl":
        disk.open[process, result] = file
    elif call == "lseek" and disk.places.get(key) is not None:
        disk.places[key] = result
    elif call == "ftruncate":
        file.cut(int(arguments.rsplit(",", 1)[1]))
        return True
    elif call == "write":
        data = decoded(TEXT.search(arguments).group(1))[:result]
        at = disk.places.get(key)
        file.write(len(file.data) if at is None else at, data)
        disk.places[key] = None if at is None else at + result
        return True
    return False


def paths_of(arguments):
    """Absolute names among the arguments, links followed up to the last part."""
    out = []
    for text in TEXT.findall(arguments):
        name = decoded(text)
        folder = os.path.realpath(os.path.dirname(name) or b".")
        out.append(os.path.join(folder, os.path.basename(name.rstrip(b"/"))))
    return out


def handle(disk, process, call, arguments, result):
    """@return whether anything changed that may be lost or kept"""
    if call in ("open", "openat", "creat"):
        return handle_open(disk, process, paths_of(arguments), arguments, result)
    if re.match(r"(rename|link|unlink|mkdir)(at2?)?$", call):
        return handle_name(disk, call, paths_of(arguments))
    if call in ("write", "lseek", "ftruncate", "fsync", "fdatasync", "fcntl"):
        return handle_descriptor(disk, process, call, arguments, result)
    if call in ("pwrite64", "writev", "truncate", "sendfile", "copy_file_range", "rmdir", "symlink", "fallocate"):
        for path in paths_of(arguments) + [decoded(p) for p in re.findall(r"<((?:\\x[0-9a-f]{2})+)>", arguments)]:
            if disk.ours(path):
                sys.exit(f"after_crash.py: {call} on {path} is not known to this program")
    return False


def joined(lines):
    """Calls that were cut by those of another process, whole."""
    begun = {}
    for line in lines:
        process = line.split(" ", 1)[0]
        if line.endswith("<unfinished ...>\n"):
            begun[process] = line[:-len("<unfinished ...>\n")]
        elif " resumed>" in line and process in begun:
            yield begun.pop(process) + line.split(" resumed>", 1)[1]
        else:
            yield line


def replay(trace, disk, point):
    changes = 0
    with open(trace, encoding="ascii", errors="replace") as lines:
        for line in joined(lines):
            match = CALL.match(line.rstrip("\n"))
            if match is None or int(match.group(4)) < 0:
                continue
            process, call, arguments, result = match.group(1, 2, 3, 4)
            changes += handle(disk, process, call, arguments, int(result))
            if changes == point:
                break
    return changes


def leave(disk, folder, point, seed):
    dice = random.Random(f"{point} {seed}")
    names, folders = disk.crashed(dice, seed)
    shutil.rmtree(folder, ignore_errors=True)
    for path in sorted(folders):
        os.makedirs(path, exist_ok=True)
    for name, file in sorted(names.items()):
        data = file.crashed(dice, seed)
        if not os.path.isdir(os.path.dirname(name)):
            continue  # its folder is lost
        with open(name, "wb") as out:
            out.write(data)
        if data not in file.named:
            print(os.path.relpath(os.fsdecode(name), folder))


def main():
    trace, folder, *words = sys.argv[1:]
    disk = Disk(folder)
    if words == ["count"]:
        print(replay(trace, disk, -1))
    else:
        point, seed = map(int, words)
        replay(trace, disk, point)
        leave(disk, folder, point, seed)


main()
