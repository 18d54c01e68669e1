"""allocations.py -- every allocation of every command fails, and nothing else goes wrong.

    FAILING_ALLOCATION=build/tests/libfailing_allocation.so python3 tests/soak/allocations.py [options] TOOL [FOLDER]

For each command of commands.txt and each of its allocations k (of those with the same calls above them the first, the second and the last;
with --all each), three trials: k fails alone; k and all later ones fail; and, if more memory is in
use with k than ever before, memory ends one byte short of it. Wanted of a trial: exit status 0 with output and files of an undisturbed
run, or exit status 1 or 2 with a message that names memory, where each file is absent, identical or marked incomplete, and printed
lines are those of an undisturbed run as far as they reach. In both cases no crash, no temporary file, and the command once more
(with --resume where it has it) gives the undisturbed result. UNCHECKED lists the functions of other libraries that crash when an
allocation of their own fails. Where memory ends they must not crash either.

FOLDER keeps allocations.log, a line for each trial. A script that is started again skips the trials in it. Exit status 1 if any trial
went wrong.

SPDX-License-Identifier: GPL-3.0-or-later
"""
import argparse
import collections
import ctypes
import os
import pathlib
import random
import re
import resource
import select
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile

SECONDS = 60  # limit of a trial
LIST_SECONDS = 600  # limit of a list of allocations, each with its calls

# (library, function): whose own allocation it does not check, and ends by a signal
UNCHECKED = {
    ("libsundials_cvode", "static"): "SUNHashMap_New of SUNLogger_Create, SUNDIALS 6.4",
    ("libsundials_arkode", "ARKodeButcherTable_Alloc"): "its rows, SUNDIALS 6.4",
    ("libsundials_arkode", "arkInterpInit_Lagrange"): "its history, SUNDIALS 6.4",
    ("libgfortran", "static"): "its start, when UMFPACK is loaded",
    ("ld-linux-x86-64", "static"): "storage of threads of a library that is loaded, glibc: exit status 127",
    ("libsundials_arkode", "erkStep_Init"): "its stages, SUNDIALS 6.4",
    ("libgsl", "gsl_vector_alloc"): "a vector of gsl_linalg_bidiag_decomp, GSL 2.7",
    ("libgsl", "gsl_block_alloc"): "a vector of gsl_linalg_bidiag_decomp, GSL 2.7",
}

UNCHECKED_LIBRARIES = {library for library, _ in UNCHECKED}  # where allocations go on failing, a later one may be the last

HERE = pathlib.Path(__file__).resolve().parent
REQUESTS = dict(line.rstrip().split(None, 1) for line in (HERE / "commands.txt").read_text().splitlines() if line[0] != "#")
PARTIAL = ("run-wall",)  # of a run that ends early the problems up to there
MARKED = re.compile("complete: no|interrupted|no memory|runs are missing|could not be drawn|stopped early")
RESUMED = ("order", "order-sweep", "order-external", "work", "run-sweep", "energy-sweep", "study", "study-mechanism")
UNSTEADY_LINES = re.compile(r"^(date|load|cpu|wall_seconds|concurrent runs|processors|seconds)[:=]|CPU|processor|load |\d s\b|seconds|"
                            r"\d{4}-\d\d-\d\d|^# elapsed")


def cut(text, columns):
    """The first columns of a CSV table."""
    return "\n".join(",".join(line.split(",")[:columns]) for line in text.split("\n"))


def steady(name, text):
    """What two undisturbed runs have in common: no times, dates and loads."""
    if name.endswith(("plan.sh", "plan")):
        return re.sub(r" *\d[\d.e+-]*", " N", text)  # predictions from measured seconds
    if name.endswith("errors.csv"):
        return cut(text, 11)
    if name.endswith("work.csv"):
        return cut(text, 15)
    if name.endswith(".html"):
        text = re.sub(r"(?m)^((?:[^,\n]*,){11}).*$", r"\1", text)  # rows of errors.csv
        text = text.replace(" --resume", "")
    if name.startswith("out of contact"):
        text = re.sub(r"(?m)^((?:[^,\n]*,){8})[^,\n]*(,.*)$", r"\1\2", text)  # seconds of a contact problem
    return "\n".join(line for line in text.split("\n") if MARKED.search(line) or not UNSTEADY_LINES.search(line))


def contents(folder):
    """{file: text} of what a command left."""
    return {str(path.relative_to(folder)): steady(path.name, path.read_text(errors="replace"))
            for path in sorted(pathlib.Path(folder).rglob("*"))
            if path.is_file() and path.suffix != ".gp" and path.name != "runs.csv" and path.stem != "profile" and not path.name.startswith(".delassus")}


def ended(status):
    """Exit status; of a signal its negative number; None: it took too long."""
    if status is None:
        return None
    return -os.WTERMSIG(status) if os.WIFSIGNALED(status) else os.WEXITSTATUS(status)


class Snapshot:
    """The files of a command that runs: the same ones, with what is in them."""

    def __init__(self):
        shutil.rmtree("snapshot", ignore_errors=True)
        os.mkdir("snapshot")
        self.paths = [path for path in pathlib.Path("failing").rglob("*")]
        self.files = [path for path in self.paths if path.is_file()] + [pathlib.Path("out"), pathlib.Path("err")]
        self.texts = [path.read_bytes() for path in self.files]
        for number, path in enumerate(self.files):
            os.link(path, f"snapshot/{number}")

    def restore(self):
        for path in sorted(pathlib.Path("failing").rglob("*"), reverse=True):
            if path.is_dir() and not path.is_symlink():
                if path not in self.paths:
                    path.rmdir()
            else:
                path.unlink()
        for path in self.paths:
            if path not in self.files:
                path.mkdir(exist_ok=True)
        for number, (path, text) in enumerate(zip(self.files, self.texts)):
            path.unlink(missing_ok=True)
            os.link(f"snapshot/{number}", path)
            if path.read_bytes() != text:
                path.write_bytes(text)  # cuts and writes the same file


class Server:
    """A process that is ready to run one command line again and again (failing_allocation.c)."""

    limit = SECONDS

    def __init__(self, words):
        orders, self.orders = os.pipe()
        self.answers, answers = os.pipe()
        for end in (self.orders, self.answers):
            os.set_inheritable(end, False)
        environment = dict(ENVIRONMENT, LD_PRELOAD=SHIM, DLS_FAIL_SERVE="1", DLS_FAIL_WHERE=os.path.abspath("where"), DLS_FAIL_TRIALS=os.path.abspath("trials"))
        actions = [(os.POSIX_SPAWN_DUP2, orders, 198), (os.POSIX_SPAWN_DUP2, answers, 199),
                   (os.POSIX_SPAWN_OPEN, 0, "/dev/null", os.O_RDONLY, 0)]
        if self.__class__ is Lister:
            environment["DLS_FAIL_LIST"] = os.path.abspath("allocations.list")
        self.process = os.posix_spawn(TOOL, [TOOL, *words], environment, file_actions=actions)
        os.close(orders)
        os.close(answers)
        self.text = b""

    def line(self, seconds):
        while b"\n" not in self.text:
            if not select.select([self.answers], [], [], seconds)[0]:
                return None
            some = os.read(self.answers, 4096)
            if not some:
                raise RuntimeError("the process that runs commands has ended")
            self.text += some
        line, self.text = self.text.split(b"\n", 1)
        return int(line)

    def run(self, at=0, following=0, above=0):
        """Exit status; of a signal its negative number; None: it took too long. And (library, function) of the last failed allocation."""
        pathlib.Path("where").unlink(missing_ok=True)
        os.write(self.orders, f"{at} {following} {above}\n".encode())
        child = self.line(SECONDS)
        status = self.line(self.limit)
        if status is None:
            os.kill(child, signal.SIGKILL)
            self.line(SECONDS)
        return ended(status), where()

    def copies(self, trials):
        """The command runs once, and a copy of it is made for each of the trials (kind, k, order), k increasing, with the folder as
        it is then. Yields kind, k, status and place; the caller may change the folder."""
        text = "".join(f"{k} {order[1]} {order[2]}\n" for _, k, order in trials)
        pathlib.Path("trials").write_text(text)
        os.write(self.orders, b"0 2 0\n")
        command = self.line(SECONDS)
        os.write(self.orders, b"\n")
        for kind, k, _ in trials:
            if self.line(SECONDS) != -1:
                return  # it ended
            before = Snapshot()
            pathlib.Path("where").unlink(missing_ok=True)
            os.write(self.orders, b"\n")
            child, status = self.line(SECONDS), self.line(SECONDS)
            if status is None:
                os.kill(child, signal.SIGKILL)
                self.line(SECONDS)
            yield kind, k, ended(status), where()
            before.restore()
            os.write(self.orders, b"\n")
        if self.line(SECONDS) is None:
            os.kill(command, signal.SIGKILL)
            self.line(SECONDS)

    def close(self):
        os.close(self.orders)
        os.close(self.answers)
        os.waitpid(self.process, 0)


class Lister(Server):
    """Lists the allocations in the file allocations.list."""

    limit = LIST_SECONDS


def where():
    """Library and function of the allocation that failed last; of our own functions and of static ones their place."""
    path = pathlib.Path("where")
    return place_of(path.read_text() if path.exists() else "")


def place_of(text):
    library, _, function = text.partition(" ")
    library = library.split(".so", 1)[0]
    return library, "static" if library.startswith(("lib", "ld-")) and function.startswith("+") else function


def result(name):
    """Output, messages and files."""
    text = [pathlib.Path(file).read_text(errors="replace") for file in ("out", "err")]
    return steady(f"out of {name}", text[0]), text[1], contents("failing")


class Request:
    """A command, undisturbed and then with failing allocations."""

    def __init__(self, name):
        self.name = name
        self.words = [word.replace("F/", "failing/") if word != "F" else "failing" for word in shlex.split(REQUESTS[name])]
        self.server = Server(self.words)
        self.again = None
        self.mended = set()  # folders from which the command was seen to give the undisturbed result
        self.fresh()
        lister = Lister(self.words)
        status, _ = lister.run()
        lister.close()
        self.status, self.whole = status, result(self.name)
        allocations = pathlib.Path("allocations.list").read_text().splitlines()
        self.allocations = [(int(line.split()[-2]), line.split()[-1]) for line in allocations]
        self.places = [place_of(" ".join(line.split()[:-2])) for line in allocations]
        self.fresh()
        if status != 0:
            sys.exit(f"{name} ends with {status}: {self.whole[1]}")
        if self.server.run()[0] != status or (self.whole[0], self.whole[2]) != (result(self.name)[0], result(self.name)[2]):
            sys.exit(f"{name} does not repeat itself: {difference(self.whole, result(self.name))}")

    def fresh(self):
        shutil.rmtree("failing", ignore_errors=True)
        if self.name == "merge":
            shutil.copytree("parts", "failing")
        else:
            os.mkdir("failing")

    def chosen(self):
        """Numbers of the allocations that fail: all, or of those with the same calls above them the first, the second and the last."""
        if chosen.all:
            return range(1, len(self.allocations) + 1)
        if chosen.stacks:
            return self.first_of_stacks()
        same = collections.defaultdict(list)
        for k, (_, calls) in enumerate(self.allocations, 1):
            same[calls].append(k)
        return sorted({k for numbers in same.values() for k in numbers[:2] + numbers[-1:]})

    def first_of_stacks(self):
        """Numbers of the allocations with calls above them that no earlier one of this command has, on any command line, and some of
        the others."""
        seen, first, others = STACKS[kind_of(self.name)], [], []
        for k, (_, calls) in enumerate(self.allocations, 1):
            (others if calls in seen else first).append(k)
            seen.add(calls)
        return sorted(first + random.Random(self.name).sample(others, min(chosen.stacks, len(others))))

    def trials(self):
        for k in self.chosen():
            peak = self.allocations[k - 1][0]
            yield "alone", k, (k, 0, 0)
            yield "following", k, (k, 1, 0)
            if peak > 1:
                yield "end", k, (0, 0, peak - 1)

    def outcomes(self, trials):
        """Kind, number, status and place of each trial: first in copies of one run, then in runs of their own those that went wrong in
        a copy, and those of commands whose folder others may not enter while they run."""
        self.copied, self.again_whole, made = True, [], set()
        if self.name not in RESUMED and self.name != "merge" and "--external" not in self.words:
            self.fresh()
            for outcome in self.server.copies(trials):
                made.add(outcome[:2])
                yield outcome
        self.copied = False
        for kind, k, order in trials:
            if (kind, k) not in made or (kind, k) in self.again_whole:
                self.fresh()
                yield (kind, k, *self.server.run(*order))

    def may_differ(self, name, text, files):
        """May a file be another when the exit status is not 0? Incomplete ones say so, or the study.txt beside them; runs are drawn as
        far as they came."""
        drawn = name.endswith((".svg", ".tex", ".pvd", ".vtu")) and kind_of(self.name) in ("run", "compare")
        study = files.get(os.path.join(os.path.dirname(name), "study.txt"), "")
        return bool(MARKED.search(text) or MARKED.search(study)) or drawn or (self.name == "merge" and name in BEFORE)

    def once_more(self):
        if self.again is None:
            self.again = Server(self.words + (["--resume"] if self.name in RESUMED else []))
        return self.again.run()[0]

    def judge(self, kind, k, status, place):
        """What is wrong, or ''. Where all fail from k on, a library that did not check k may crash after others have failed."""
        out, err, files = result(self.name)
        said, _, left = self.whole
        if status is None or status < 0 or status == 127:
            first = self.places[k - 1]
            known = kind != "end" and (place in UNCHECKED or (kind == "following" and (
                first in UNCHECKED or place[0] in UNCHECKED_LIBRARIES)))
            return "" if known else f"signal {-status}" if status is not None else "it takes too long"
        faults = []
        if status == self.status and (out, files) == (said, left):
            return "" if not temporary() else "a temporary file is left"
        if status == 0:
            faults.append(f"exit status 0, but {difference(self.whole, (out, err, files))}")
        elif status not in (1, 2):
            faults.append(f"exit status {status}")
        if status != 0 and "emory" not in err:
            faults.append(f"the message does not name memory: {err.strip()[:200]!r}")
        other = stray(said, out)
        if other and not MARKED.search(out) and not (kind_of(self.name) in ("run", "study") and re.match(r"\w+=", other)):
            faults.append(f"printed {other[:80]!r}")
        for name, text in files.items() if self.name not in PARTIAL else ():
            if text != left.get(name) and not self.may_differ(name, text, files):
                faults.append(f"{name} {changed(left[name], text) if name in left else 'is new'}")
        if temporary():
            faults.append(f"{temporary()} is left")
        if self.name in PARTIAL and status != 0:
            self.fresh()
        left_behind = hash(frozenset((str(path), steady(path.name, path.read_text(errors="replace")))
                                     for path in pathlib.Path("failing").rglob("*") if path.is_file()))
        if files and left_behind not in self.mended:  # what it does once more depends on nothing else
            again = self.once_more()
            if again != self.status or (result(self.name)[0], result(self.name)[2]) != (said, left):
                faults.append(f"once more: exit status {again}, {difference(self.whole, result(self.name))}")
            else:
                self.mended.add(left_behind)
        return "; ".join(faults)

    def close(self):
        self.server.close()
        if self.again is not None:
            self.again.close()


def temporary():
    return [str(path) for path in pathlib.Path("failing").rglob("*")
            if path.name.endswith(".part") or re.match(r"\.delassus-.*\.(tmp|new)", path.name)]


def stray(said, out):
    """The first printed line that an undisturbed run does not print, or not in this order; ''."""
    lines = iter(said.split("\n"))
    return next((line for line in out.split("\n") if line and line not in lines), "")


def kind_of(name):
    return name.split("-", 1)[0]


def changed(old, new):
    lines, others = old.split("\n"), new.split("\n")
    for line, other in zip(lines, others):
        if line != other:
            return f"differs: {line[:80]!r}, now {other[:80]!r}"
    return f"has {len(others)} of {len(lines)} lines"


def difference(whole, found):
    if whole[0] != found[0]:
        return f"printed {changed(whole[0], found[0])}"
    for name in sorted(set(whole[2]) | set(found[2])):
        if whole[2].get(name) != found[2].get(name):
            return f"{name} {changed(whole[2].get(name, ''), found[2].get(name, ''))}"
    return "the same output"


def prepare():
    """Input files of the commands."""
    if not pathlib.Path("prepared").exists():
        subprocess.run(["bash", HERE / "inputs.sh", TOOL], check=True, env=ENVIRONMENT)
        pathlib.Path("prepared").touch()


def main():
    options = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    options.add_argument("--every", type=int, default=1, help="only each Nth trial of a command")
    options.add_argument("--first", type=int, default=0, help="the first of them, from 0")
    options.add_argument("--all", action="store_true", help="every allocation, also those with the same calls above them as others")
    options.add_argument("--stacks", type=int, default=0, metavar="N", help="of the allocations of a command, on all its command lines, "
                         "with the same calls above them only the first, and N others of each command line, drawn by lot")
    options.add_argument("--of", help="only these commands, separated by commas")
    options.add_argument("tool")
    options.add_argument("folder", nargs="?", help="default: a temporary one")
    return options.parse_args()


chosen = main()
TOOL = os.path.realpath(chosen.tool)
SHIM = os.path.realpath(os.environ["FAILING_ALLOCATION"])
temporary_folder = None if chosen.folder else tempfile.TemporaryDirectory()
os.makedirs(chosen.folder or temporary_folder.name, exist_ok=True)
os.chdir(chosen.folder or temporary_folder.name)
ENVIRONMENT = {"PATH": f"{os.getcwd()}/bin:{os.environ['PATH']}", "HOME": os.environ.get("HOME", "/"), "LC_ALL": "C",
               "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
if hasattr(os, "sched_setaffinity"):
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
STACKS = collections.defaultdict(set)
if chosen.stacks:
    ctypes.CDLL(None).personality(0x40000)  # ADDR_NO_RANDOMIZE: equal calls have equal addresses in all processes
resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
prepare()
BEFORE = contents("parts")
done = {}
if os.path.exists("allocations.log"):
    with open("allocations.log", encoding="utf-8") as log:
        done = {tuple(line.split()[:3]): line.split(None, 3)[3].strip() for line in log}
crashes = collections.Counter()
with open("allocations.log", "a", encoding="utf-8") as log:
    for name in chosen.of.split(",") if chosen.of else REQUESTS:
        request = Request(name)
        for kind, k, status, place in request.outcomes([
                trial for number, trial in enumerate(request.trials())
                if number % chosen.every == chosen.first % chosen.every and (name, *map(str, trial[:2])) not in done]):
            fault = request.judge(kind, k, status, place)
            if fault and request.copied:
                request.again_whole.append((kind, k))
                continue
            if not fault and status is not None and (status < 0 or status == 127):
                crashes[place] += 1
            verdict = f"{' '.join(place)}: {fault}" if fault else "good"
            done[name, kind, str(k)] = verdict
            log.write(f"{name} {kind} {k} {verdict}\n")
            log.flush()
        request.close()
bad = [f"{' '.join(trial)} {verdict}" for trial, verdict in done.items() if verdict != "good"]
print(f"allocations: {len(done)} trials of {len({trial[0] for trial in done})} command lines, {len(bad)} went wrong")
for place, count in sorted(crashes.items()):
    print(f"{count} ended in {' '.join(place)}{': ' + UNCHECKED[place] if place in UNCHECKED else ''}")
print("\n".join(bad[:20]))
sys.exit(bool(bad))
