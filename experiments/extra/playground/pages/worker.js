/* worker.js -- what a worker with the library answers. A motion is kept with its reference until another one is asked for.
 * SPDX-License-Identifier: GPL-3.0-or-later */
"use strict";

const MOST_NODES = 1200; // of a curve in a picture

/* --- what is kept: the catalogue with the text of the page; of the last motion the reference and the runs --- */

const kept = { text: null, catalogue: null, motion: null, reference: null, runs: new Map(), curves: new Map() };

function forgetMotion() {
  if (kept.reference && !kept.reference.fault) {
    library.free(kept.reference);
  }
  kept.runs.forEach(library.free);
  Object.assign(kept, { motion: null, reference: null, runs: new Map(), curves: new Map() });
}

/* What names mean: the library's entries, and the model of a text. */
function catalogueOf({ model, yaml, matrices }) {
  if (kept.catalogue === null || kept.text !== yaml) {
    const catalogue = library.openCatalogue(yaml ? { name: model, text: yaml, matrices } : null);
    forgetMotion();
    if (kept.catalogue) {
      kept.catalogue.close();
    }
    Object.assign(kept, { text: yaml, catalogue });
  }
  return kept.catalogue;
}

/* Forget what belongs to another motion than this one: of another model, other parameters, another end. */
function enter(motion) {
  const catalogue = catalogueOf(motion);
  const key = JSON.stringify([motion.model, motion.set, motion.end]);
  if (kept.motion !== key) {
    forgetMotion();
    kept.motion = key;
  }
  return catalogue;
}

function referenceOf(motion) {
  const catalogue = enter(motion);
  if (kept.reference === null) {
    kept.reference = attempt(() => catalogue.reference(motion.model, motion.set, Number(motion.end)));
  }
  if (kept.reference.fault) {
    throw Error(kept.reference.fault);
  }
  return kept.reference;
}

/* What fails for one scheme does not end the others. */
function attempt(compute) {
  try {
    return compute();
  } catch (error) {
    if (isTrap(error)) {
      throw error;
    }
    return { fault: error.message };
  }
}

const newRun = (motion, scheme, step) =>
  enter(motion).run(motion.model, motion.set, scheme.text, scheme.needsStep ? step : 0, Number(motion.end));

/* --- answers --- */

/* The filled-in graphs of a coordinate and its velocity, and one over the other at the times of the second. */
function curvesOf(run, shown) {
  if (run.rows === 0) {
    return null;
  }
  const [q, v] = [run.graph(`q${shown}`, MOST_NODES), run.graph(`v${shown}`, MOST_NODES)];
  return { position: q, velocity: v, phase: [run.columnAt(`q${shown}`, 1, v[0]), v[1]] };
}

/* What the page shows of the reference; it stays as long as the reference. */
function shownReference(reference, shown) {
  if (!kept.curves.has(shown)) {
    kept.curves.set(shown, { name: reference.name, text: reference.text, curves: curvesOf(reference, shown), events: reference.events() });
  }
  return kept.curves.get(shown);
}

function measured(motion, run) {
  const found = run.complete && !attempt(() => referenceOf(motion)).fault;
  const error = found ? library.distance(kept.reference, run, motion.norm, motion.of) : null;
  return { error, steps: run.work.steps, evals: run.work.evals, fault: run.failure };
}

/* The runs of a motion; those of the last one that are asked for again are there already. */
function runsOf(motion) {
  const before = kept.runs;
  kept.runs = new Map();
  const runs = motion.schemes.map((scheme) => attempt(() => {
    const key = JSON.stringify([scheme.text, scheme.needsStep ? motion.h : ""]);
    const run = kept.runs.get(key) || before.get(key) || newRun(motion, scheme, Number(motion.h));
    kept.runs.set(key, run);
    return run;
  }));
  before.forEach((run, key) => kept.runs.has(key) || library.free(run));
  return runs;
}

const answers = {
  open() {
    return catalogueOf({ model: "", yaml: "" }).entries();
  },

  model(motion) {
    return catalogueOf(motion).model(motion.model, motion.set);
  },

  motion(motion) {
    const reference = attempt(() => shownReference(referenceOf(motion), motion.shown));
    const unit = attempt(() => library.distanceUnit(referenceOf(motion), motion.norm, motion.of));
    const shownRun = (run) => (run.fault ? run : attempt(() => ({
      curves: curvesOf(run, motion.shown), events: run.events(), warnings: run.warnings(), ...attempt(() => measured(motion, run)),
    })));
    return {
      end: Number(motion.end),
      reference: reference.fault ? null : reference,
      unit: reference.fault || unit.fault ? "" : unit,
      fault: reference.fault || "",
      runs: runsOf(motion).map((run, i) => ({ name: motion.schemes[i].text, ...shownRun(run) })),
    };
  },

  /* One point of the plots of errors. */
  point({ motion, scheme, h, tol }) {
    const run = newRun(motion, scheme, h);
    try {
      return { h, tol, ...measured(motion, run) };
    } finally {
      library.free(run);
    }
  },

  lines({ motion, series }) {
    const { norm, of } = motion;
    const line = (s, by, against) => {
      const points = s.points.filter((p) => p[by] > 0);
      const [xs, errors] = [points.map((p) => p[by]), points.map((p) => p.error)];
      return points.length < 3 ? null : attempt(() => library.line(referenceOf(motion), s.name, norm, of, xs, errors, against));
    };
    return series.map((s) => ({ h: line(s, "h", "step"), evals: line(s, "evals", "evals") }));
  },

  energy({ motion, scheme }) {
    return attempt(() => enter(motion).energy(motion.model, motion.set, scheme.text, scheme.needsStep ? Number(motion.h) : 0, Number(motion.end)));
  },

  command({ motion, command, options }) {
    return attempt(() => catalogueOf(motion).command(command, motion.model, options));
  },

  studies({ text }) {
    return library.runStudies(catalogueOf({ model: "", yaml: "" }), text);
  },
};
