"""Run the tests of the four lower floors in node: python3 wasm/test.py FOLDER [FLOOR.MODULE...]

FOLDER is that of wasm/build.sh, with the target delassus_tests. wasm/not_in_node.txt lists the tests that are expected to fail.
Exit status: 0 all is as listed, 1 it is not, 2 there is nothing to run.
SPDX-License-Identifier: GPL-3.0-or-later
"""

import concurrent.futures
import os
import re
import resource
import signal
import subprocess
import sys
import tempfile

LIMIT = 120  # s of the processor, for each module


def exceptions():
    """{module: {test, ...}} of the tests that are expected to fail."""
    listed = {}
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "not_in_node.txt"), encoding="utf-8") as file:
        for line in file:
            match = re.match(r"([a-z_]+\.\w+) (\w+): \S", line)
            if match:
                listed.setdefault(match[1], set()).add(match[2])
    return listed


def run(program, name):
    """Name of a module, tests that pass, tests that fail, messages, and what else went wrong, if anything did."""
    with tempfile.TemporaryDirectory() as folder:
        try:
            done = subprocess.run(["node", program, name], cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT, timeout=20 * LIMIT, check=False,
                                  preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (LIMIT, LIMIT + 5)))
        except subprocess.TimeoutExpired:
            return name, set(), set(), [], f"takes more than {20 * LIMIT} s"
    if done.returncode in (-signal.SIGXCPU, -signal.SIGKILL):
        return name, set(), set(), [], f"takes more than {LIMIT} s of the processor"
    text = done.stdout.decode("utf-8", "replace")
    passed = set(re.findall(r"^\[       OK \] (\w+)$", text, re.M))
    failed = set(re.findall(r"^\[  FAILED  \] ([A-Za-z_]\w*)$", text, re.M))
    messages = re.findall(r"^\[  (?:ERROR  | LINE  ) .*$", text, re.M)
    if "[  PASSED  ]" not in text or (done.returncode != 0 and not failed):
        return name, passed, failed, messages, f"ends with status {done.returncode}:\n{text[-2000:]}"
    return name, passed, failed, messages, None


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    program = os.path.abspath(os.path.join(sys.argv[1], "bin", "delassus-tests.js"))
    if not os.path.exists(program):
        print(f"wasm/test.py: there is no {program}", file=sys.stderr)
        sys.exit(2)
    built = subprocess.run(["node", program], stdout=subprocess.PIPE, check=True, text=True).stdout.split()
    names = sys.argv[2:] or built
    listed = exceptions()
    wrong = [f"wasm/not_in_node.txt lists tests of {name}, which is not built" for name in sorted(listed.keys() - set(built))]
    passes = excepted = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for name, passed, failed, messages, trouble in pool.map(lambda name: run(program, name), names):
            may_fail = listed.get(name, set())
            passes += len(passed)
            excepted += len(failed & may_fail)
            for test in sorted(failed - may_fail):
                wrong.append(f"{name} {test} fails; the module reports:\n" + "\n".join(messages))
            if trouble:
                wrong.append(f"{name} {trouble}")
            else:
                wrong += [f"{name} {test} does not fail, but wasm/not_in_node.txt lists it" for test in sorted(may_fail - failed)]
    print("\n".join([*wrong, f"Tests in node: {len(names)} modules, {passes} tests passed, {excepted} excepted, {len(wrong)} failed"]))
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
