#!/usr/bin/env python3
"""What a start of the tool costs beside one of /bin/true: python3 bench/starts.py TOOL [STARTS].

In alternation; processor time of the child and time on the wall, medians and the tenth part that was fastest.
SPDX-License-Identifier: GPL-3.0-or-later"""

import os
import resource
import sys
import time

COMMANDS = ("--version", "list", "run bouncing-ball --scheme moreau-jean --step 0.1 --end 1")


LIMIT = 3  # ms


def processor():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def start(words):
    """Seconds of the processor and on the wall."""
    before, begin = processor(), time.perf_counter()
    silent = [(os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)]
    status = os.waitpid(os.posix_spawn(words[0], words, os.environ, file_actions=silent), 0)[1]
    if status != 0:
        sys.exit(f"{' '.join(words)}: exit status {os.waitstatus_to_exitcode(status)}")
    return processor() - before, time.perf_counter() - begin


def main():
    tool, starts = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 200
    lines = [["/bin/true"]] + [[tool, *command.split()] for command in COMMANDS]
    seconds = [[] for _ in lines]
    for _ in range(starts):
        for words, taken in zip(lines, seconds):
            taken.append(start(words))
    print("ms: processor median, fastest tenth; wall median, fastest tenth")
    for words, taken in zip(lines, seconds):
        kinds = [sorted(kind) for kind in zip(*taken)]
        print("%-16s" % words[-1 if len(words) < 3 else 1].split("/")[-1],
              *("%6.2f %6.2f" % (1e3 * kind[starts // 2], 1e3 * kind[starts // 10]) for kind in kinds))
    for command, taken in zip(COMMANDS[1:], seconds[2:]):
        used = sorted(1e3 * one[0] for one in taken)
        print("= start of the tool, processor: %s | %.3g ms | %.3g to %.3g | <= %g | %.2f" % (
            command.split()[0], used[starts // 2], used[0], used[-1], LIMIT, used[starts // 2] / LIMIT))


main()
