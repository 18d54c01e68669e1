"""Requests drawn from what the tool offers: a command, its arguments, and some of its options with values.

SPDX-License-Identifier: GPL-3.0-or-later
"""
import collections
import math
import re

Request = collections.namedtuple("Request", "words shown outputs external")

# Options that say what is shown, kept or done beside: no number of a table may depend on them.
SHOWN = ("jobs", "report", "plot", "animate", "plot-format", "style", "progress", "stats", "dump-problems", "overwrite", "strict")
SLOW = ("lesson", "advise")  # many runs each
OUTPUTS = ("out", "report", "plot", "animate", "dump-problems", "plan")
# what a shell, gnuplot, TeX, HTML or YAML would act on
TRAPS = ("$(touch owned)", "`touch owned`", ";touch owned;", "|touch owned", '";system("touch owned")', "\\write18{touch owned}",
         "<script>x</script>", "a: [b", "%s%n%d", "-x", " ", "é", "a'b", 'a"b', "a,b", "a=b", "..", "a\\b", "#c", "{h}")
ODD_NUMBERS = ("0", "-1", "1e300", "1e-300", "nan", "inf", "0x10", "", "1,5", "1e999", "18446744073709551616", "-0", "3.7", "x")
PARTICULAR = {  # options whose values have a form of their own
    "columns": ("q0", "q,v", "v0,g", "energy", "q0,work_normal", "t", "lambda,p"),
    "of": ("q0", "v", "q,v", "impulse", "v0", "q", "energy", "impacts", "radius", "least:q0", "impact0", "period"),
    "over": ("q0", "v0", "t"), "column": ("q0", "v0", "q,v", "impulse", "g0"), "map": ("q0=q0", "v0=vx", "q0=q0,v0=v0"),
    "cycle": ("impact:0", "stick:0", "impact:1"), "drift": ("q0", "q1"),
    "against": ("steps", "problems", "evals", "seconds"), "reference": ("exact", "event-driven"),
    "external": ("sim=./sim.sh {h} {T} {out}", "sim=./missing", "sim=./fail.sh {out}", "sim=./wrong.sh {out}"),
    "external-limit": ("1", "30"), "shard": ("1/2", "2/2", "auto"), "time-limit": ("0.01", "600"), "max-rows": ("1", "5", "1000"),
    "every": ("1", "3"), "halve": ("0", "2"), "seed": ("1", "7"), "repeats": ("1", "2"), "timings": ("0", "1"),
    "jobs": ("1", "2", "0"), "progress": ("auto", "always", "never"), "style": ("screen", "journal", "slides"),
    "plot-format": ("png", "svg", "pdf", "tex", "none"), "between": ("linear", "constant"), "tau": ("1", "2"), "xi": ("1", "0.5"),
    "accuracy": ("1e-3", "0.1"), "digits": ("3", "6"), "error": ("0.1", "0.5"), "most-steps": ("100", "1000"), "states": ("1", "2"),
    "start-tolerance": ("1e-6", "1"), "from": ("0", "0.05"), "impact": ("1", "2"), "tolerance": ("1e-12", "1e-6"),
    "facets": ("3", "8"), "damping": ("0", "0.1"), "frequency": ("0.5", "2"), "tols": ("1e-3:1e-5:2", "1e-4:1e-6:3"),
    "format": ("text", "csv", "bibtex", "table"), "plugin": ("study.yaml", "missing.so"), "curves": ("e=0,0.5", "q0=1,2"),
}
NAMES = {"plot": ("p.svg", "p.png", "p.pdf", "p.tex", "-"), "animate": ("a.svg", "a.gif"), "report": ("r.html",),
         "dump-problems": ("problems",), "plan": ("plan.sh", "-")}
FILES = {"FILE.csv": ("ball.csv", "ball2.csv", "chain.csv", "sim/h0.1.csv"), "A.csv": ("ball.csv", "ball2.csv"),
         "B.csv": ("ball2.csv", "ball.csv"), "DIR": ("orders", "sim", "parts", "."), "FILE": ("problem.dat", "space.dat", "study.yaml"),
         "FOLDER": ("problems.in", "."), "PLUGIN.so": ("study.yaml",), "all": ("example-run",)}
FITTING = {"merge": ("parts",), "contact": ("problem.dat", "space.dat", "problems.in"), "judge": ("sim", "sim/h0.1.csv", "ball.csv"),
           "verify": ("ball.csv", "orders", "chain.csv"), "study": ("study.yaml",)}  # what a command reads, in place of any file
NEEDS = {"external-limit": "external", "map": "external", "resume": "sweep", "overwrite": "sweep", "shard": "sweep", "jobs": "sweep",
         "time-limit": "sweep"}  # what the usage does not say, for commands that have both and do not always make many runs
SPECTRA = ("radius", "period", "damping", "response", "radius,period")


class Draw:
    """One request; `choose` is the only source of chance, a random.Random of seed and number."""

    def __init__(self, offer, inputs, choose):
        self.offer, self.inputs, self.choose = offer, inputs, choose
        self.model, self.schemes, self.outputs = None, [], []
        self.end = choose.choice((0.01, 0.1, 0.1, 0.5, 1.0, 2.0))

    def chance(self, p):
        return self.choose.random() < p

    def name(self, kind):
        return self.choose.choice(self.offer.lists[kind])

    def value_in(self, row):
        """A value of a row of a table: its default, its ends, something between, or something odd."""
        if self.chance(0.04):
            return self.choose.choice(ODD_NUMBERS)
        if "|" in row.range and "," not in row.range:
            return self.choose.choice(row.range.split("|"))
        ends = re.match(r"[\[(](\S+), (\S+)[\])]( integer)?", row.range)
        if not ends:
            return row.default
        low, high = (math.copysign(10, float(e)) if math.isinf(float(e)) else float(e) for e in ends.groups()[:2])
        if ends.group(3):
            return str(int(self.choose.choice((low, min(high, low + 1), min(high, low + self.choose.randint(0, 4))))))
        try:
            base = float(row.default)
        except ValueError:
            return row.default
        between = base * self.choose.uniform(0.5, 2) if base else self.choose.uniform(max(low, -2), min(high, 2))
        values = [base, low, min(high, 10 + low), between, between]
        if self.chance(0.95):
            values = [v for v in values if low < v < high or v == low and row.range[0] == "[" or v == high and "]" in row.range] or [base]
        return f"{self.choose.choice(values):.6g}"

    def settings(self, name, most):
        rows = list(self.offer.table(name))
        return [f"{r.name}={self.value_in(r)}" for r in self.choose.sample(rows, min(len(rows), self.choose.randint(0, most)))]

    def with_options(self, name):
        """NAME, or NAME:OPTION=VALUE,... of a scheme or a law."""
        settings = self.settings(name, 2) if self.chance(0.4) else []
        return name + (":" + ",".join(settings) if settings else "")

    def scheme(self, fits=lambda name: True):
        names = [n for n in self.offer.lists["schemes"] if fits(n)] if self.chance(0.9) else self.offer.lists["schemes"]
        self.schemes.append(self.choose.choice(names))
        return self.with_options(self.schemes[-1])

    def model_words(self):
        """`--set` words: files that a model needs, small sizes, some parameters."""
        words = []
        for file, needed in self.offer.files(self.model).items():
            found = [i for i in self.inputs if i.rsplit(".", 1)[0] == file]
            if found and (needed or self.chance(0.7)):
                words.append(f"{file}={found[0]}")
        given = self.settings(self.model, 3) if self.chance(0.5) else []
        for row in self.offer.table(self.model):
            large = re.match(r"[\[(](\d+), (\S+)[\])] integer", row.range)
            if large and row.name != "seed" and float(large.group(2)) >= 100 and not any(g.startswith(row.name + "=") for g in given):
                words.append(f"{row.name}={min(int(row.default), max(int(large.group(1)), self.choose.randint(1, 3)))}")
        return [w for word in words + given for w in ("--set", word)]

    def sweep(self):
        rows = [r for r in self.offer.table(self.model or "bouncing-ball") if "|" not in r.range]
        row = self.choose.choice(rows) if rows else None
        if row is None or self.chance(0.1):
            return "e=0:1:2"
        return f"{row.name}={self.value_in(row)}" + (f",{self.value_in(row)}" if self.chance(0.5) else f":{self.value_in(row)}:2")

    def steps(self, command):
        if command == "spectrum":
            return "0.1:1:3"
        if command == "judge":
            return "0.1,0.05,0.025"
        return f"{self.end / 4:g}:{self.end / 16:g}:{self.choose.randint(2, 3)}"

    def output(self, option):
        name = self.choose.choice(NAMES.get(option) or ("out", "new/out", "out.csv", "out.vtu", "out.html", "-", "out.hdf5"))
        if name != "-" and self.chance(0.1):
            stem, dot, ending = name.rpartition(".")
            name = self.choose.choice(TRAPS) + (stem if dot else name) + (dot + ending if dot else "")
        self.outputs.append(name)
        return name

    def value(self, command, option):
        if option.name not in OUTPUTS and self.chance(0.02):
            return self.choose.choice(TRAPS + ODD_NUMBERS)
        if option.name == "out":
            return self.out_of(command)
        special = {"at": lambda: self.choose.choice((f"{self.end / 2:g}", f"0,{self.end / 4:g}", "0.2,0.1")), "scheme": self.scheme, "sweep": self.sweep, "end": lambda: f"{self.end:g}", "law": lambda: self.with_options(self.name("laws")),
                   "step": lambda: f"{self.end / self.choose.randint(2, 60):g}", "steps": lambda: self.steps(command),
                   "norm": lambda: self.name("norms"), "method": lambda: self.name("solvers"), "exact": lambda: self.name("models"),
                   "set": lambda: (self.settings(self.model, 1) if self.model else None) or ["e=0.5"]}
        if option.name in special:
            found = special[option.name]()
            return found if isinstance(found, str) else found[0]
        if command == "spectrum" and option.name == "of":
            return self.choose.choice(SPECTRA)
        if option.name in NAMES:
            return self.output(option.name)
        words = [w for w in option.value.split("|") if re.fullmatch("[a-z0-9-]+", w)]
        return self.choose.choice(words or PARTICULAR.get(option.name) or ODD_NUMBERS + TRAPS)  # the last: an option that is new here

    def out_of(self, command):
        """A name that fits what --out of the command is, mostly."""
        value = self.offer.commands[command].options["out"].value
        fitting = {"FILE.csv": "out.csv", "FILE.vtu": "out.vtu", "FILE.html": "out.html", "DIR": "out", "FOLDER": "out", "FILE": "out.dat"}
        names = [fitting[w] for w in value.split("|") if w in fitting]
        if not names or self.chance(0.1):
            return self.output("out")
        name = self.choose.choice(names)
        self.outputs.append(name)
        return name

    def argument(self, command, alternatives):
        word = self.choose.choice(alternatives) if self.chance(0.3) else alternatives[0]
        many = word.endswith("...") or "..." in alternatives[-1]
        word = re.sub(r"(\[.*\])?(\.\.\.)?$", "", word)
        count = self.choose.randint(1, 3) if many else 1
        return [w for _ in range(count) for w in self.argument_words(command, word)]

    def argument_words(self, command, word):
        if self.chance(0.02):
            return [self.choose.choice(TRAPS)]
        if word == "MODEL":
            self.model = "bouncing-ball" if command == "judge" and self.chance(0.8) else self.name("models")
            return [self.model]
        if word.startswith("SCHEME"):
            return [self.scheme(lambda name: not self.offer.chooses_steps(name))]
        if word == "LESSON":
            return [self.name("lessons")]
        if word == "NAME":
            return [self.name(self.choose.choice(list(self.offer.lists)))]
        if command in FITTING and self.chance(0.9):
            return [self.choose.choice(FITTING[command])]
        word = self.choose.choice(FILES.get(word, (word,)))
        if word == "--exact":
            self.model = "bouncing-ball" if self.chance(0.9) else self.name("models")
            return ["--exact", self.model]
        return [word]

    def optional_argument(self, name):
        """What stands in brackets and is no option: a kind to list, a lesson, names to cite."""
        if name == "list":
            return [self.choose.choice(list(self.offer.lists))]
        if name == "lesson":
            return [self.name("lessons")]
        return [self.choose.choice((self.name("schemes"), self.name("models"), "ball.csv"))] if name == "cite" else []

    def option_names(self, command):
        """Those that must be there, and some others."""
        names = list(command.required) + (["scheme"] if command.name == "advise" and self.chance(0.9) else [])
        if command.choice:
            names += self.choose.sample(command.choice, self.choose.choice((1, 1, len(command.choice))))
        if "end" in command.options and "--end" not in names:
            names.append("end")
        if "out" in command.options and self.chance(0.7):
            names.append("out")
        others = [o for o in command.options if o not in names and o not in ("out", "step", "set", "help", "exact", "plugin")]
        others = self.choose.sample(others, min(len(others), self.choose.choice((0, 1, 1, 2, 2, 3, 4, 6))))
        others += ["plugin"] if self.chance(0.01) else []
        if self.chance(0.95):
            others = self.consistent(command, names, others)
        if command.name == "judge" and "between" not in others and self.chance(0.9):
            names.append("between")
        return [n for n in names + others if not self.chance(0.01)]  # one is forgotten now and then

    @staticmethod
    def consistent(command, names, others):
        """With the options that others need, and without those that they exclude."""
        kept = []
        for name in others:
            many = command.name in ("order", "work") and name not in ("external-limit", "map")
            implied = NEEDS.get(name) if NEEDS.get(name) in command.options and not many else None
            for needed in (implied, command.needs.get(name), name):
                taken = names + kept
                if needed and needed not in taken and not any({a, b} == {needed, t} for a, b in command.excludes for t in taken):
                    kept.append(needed)
        return kept

    def request(self):
        command = self.choose.choice(list(self.offer.commands.values()))
        if command.name in SLOW and self.chance(0.7):
            return self.request()
        words = [w for alternatives in command.arguments for w in self.argument(command.name, alternatives)]
        if not command.arguments and self.chance(0.8):
            words += self.optional_argument(command.name)
        names = self.option_names(command)
        shown = []
        for name in names:
            option = command.options.get(name)
            if option is None:
                continue
            for _ in range(self.choose.randint(1, 2) if option.repeats else 1):
                pair = [f"--{name}"] + ([self.value(command.name, option)] if option.value else [])
                shown += pair if name in SHOWN else []
                words += [] if name in SHOWN else pair
        if "step" in command.options:
            needs = any(not self.offer.chooses_steps(s) for s in self.schemes)
            if needs != self.chance(0.03):
                words += ["--step", self.value(command.name, command.options["step"])]
        if self.model and "set" in command.options:
            words += self.model_words()
        external = "--external" in words
        if external and self.chance(0.9):
            words += ["--scheme", "sim"]
        return Request([command.name] + words, shown, self.outputs, external)
