"""Tests of ctest, one at a time: within limits, and with what it took.

SPDX-License-Identifier: GPL-3.0-or-later
"""
import collections
import json
import os
import re
import shutil
import signal
import subprocess
import tempfile
import threading

# Tests that build or install something, compare builds, or run no code of C.
LEFT_OUT = re.compile(r"install\.|house\.|docs\.(engines_programs|handbook)|experiments\.(adding|slurm)")
LIMITS = ("--core=0", "--data=4000000000", "--fsize=2000000000")  # of a process [B]: a mutant may take all that there is

Test = collections.namedtuple("Test", "name command environment")
Trial = collections.namedtuple("Trial", "passes seconds")


def tests_of(build_folder):
    """The tests that ctest knows, by name."""
    listed = subprocess.run(["ctest", "--test-dir", build_folder, "--show-only=json-v1"], check=True, capture_output=True, text=True)
    tests = {}
    for entry in json.loads(listed.stdout)["tests"]:
        properties = {p["name"]: p["value"] for p in entry.get("properties", [])}
        words = dict(word.split("=", 1) for word in properties.get("ENVIRONMENT", []))
        if not LEFT_OUT.match(entry["name"]) and "command" in entry:
            tests[entry["name"]] = Test(entry["name"], entry["command"], words)
    return tests


def end(process):
    """All that the process has started, if there is any left."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass


def remove(folder):
    """A folder, whatever a test has forbidden in it."""
    try:
        shutil.rmtree(folder)
    except OSError:
        subprocess.run(["chmod", "-R", "u+w", folder], check=False, stderr=subprocess.DEVNULL)
        shutil.rmtree(folder, ignore_errors=True)


def attempt(test, most_seconds, longest, **environment):
    """Run it without a word, in a folder of its own.
    @param most_seconds of processor time that each process may take
    @param longest      [s] by the clock
    @return whether it succeeds (or skips itself), and the processor time [s] of all its processes"""
    folder = tempfile.mkdtemp(prefix="mutate-")
    command = ["prlimit", *LIMITS, f"--cpu={int(most_seconds) + 1}", *test.command]
    words = {**os.environ, "OPENBLAS_NUM_THREADS": "1", "TMPDIR": folder, **test.environment, **environment}
    with subprocess.Popen(command, cwd=folder, env=words, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                          start_new_session=True) as run:
        clock = threading.Timer(longest, end, (run,))
        clock.start()
        _, status, used = os.wait4(run.pid, 0)
        clock.cancel()
        run.returncode = os.waitstatus_to_exitcode(status)
        end(run)
    remove(folder)
    return Trial(run.returncode in (0, 77), used.ru_utime + used.ru_stime)


def waited(seconds):
    """How long by the clock a test may take that took so much: others are at work on the machine."""
    return 60 + 20 * seconds
