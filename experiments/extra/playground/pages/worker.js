/* worker.js -- what a worker with the library answers. A motion is kept with its reference until another one is asked for.
 * SPDX-License-Identifier: GPL-3.0-or-later */
"use strict";

const MOST_NODES = 1200; // of a curve in a picture

let library = null;

/* --- what is kept: the catalogue with the mechanism of the page, the reference of the motion --- */

const kept = { text: null, catalogue: null, motion: null, reference: null };

function forgetReference() {
  library.free(kept.reference);
  Object.assign(kept, { motion: null, reference: null });
}

/* What names mean: the library's entries, and the mechanism of a text. */
function catalogueOf({ model, yaml }) {
  if (kept.catalogue === null || kept.text !== yaml) {
    const catalogue = library.openCatalogue(yaml ? { name: model, text: yaml } : null);
    forgetReference();
    if (kept.catalogue) {
      kept.catalogue.close();
    }
    Object.assign(kept, { text: yaml, catalogue });
  }
  return kept.catalogue;
}

function referenceOf(motion) {
  const catalogue = catalogueOf(motion);
  const key = JSON.stringify([motion.model, motion.set, motion.end]);
  if (kept.motion !== key) {
    forgetReference();
    kept.reference = catalogue.reference(motion.model, motion.set, Number(motion.end));
    kept.motion = key;
  }
  return kept.reference;
}

/* --- answers --- */

/* The filled-in graphs of a coordinate and its velocity, and one over the other at the times of the second. */
function curvesOf(run, shown) {
  if (run.rows === 0) {
    return null;
  }
  const [q, v] = [run.graph(`q${shown}`, MOST_NODES), run.graph(`v${shown}`, MOST_NODES)];
  return { position: q, velocity: v, phase: [run.columnAt(`q${shown}`, 1, v[0]), v[1]] };
}

/* What fails for one scheme does not end the others. */
function attempt(compute) {
  try {
    return compute();
  } catch (error) {
    return { fault: error.message };
  }
}

function withRun(motion, scheme, step, use) {
  const run = catalogueOf(motion).run(motion.model, motion.set, scheme.text, scheme.needsStep ? step : 0, Number(motion.end));
  try {
    return use(run);
  } finally {
    library.free(run);
  }
}

function measured(motion, run) {
  const error = run.complete ? library.distance(referenceOf(motion), run, motion.norm, motion.of) : null;
  return { error, steps: run.work.steps, evals: run.work.evals, fault: run.failure };
}

const answers = {
  open() {
    return catalogueOf({ model: "", yaml: "" }).entries();
  },

  model(motion) {
    return catalogueOf(motion).model(motion.model, motion.set);
  },

  motion(motion) {
    const reference = attempt(() => referenceOf(motion));
    const runs = motion.schemes.map((scheme) => ({ name: scheme.text,
      ...attempt(() => withRun(motion, scheme, Number(motion.h), (run) => ({
        curves: curvesOf(run, motion.shown), events: run.events(), warnings: run.warnings(),
        ...attempt(() => measured(motion, run)),
      }))) }));
    const { name, text } = reference;
    return {
      end: Number(motion.end),
      reference: reference.fault ? null : { name, text, curves: curvesOf(reference, motion.shown), events: reference.events() },
      fault: reference.fault || "",
      runs,
    };
  },

  /* One point of the plots of errors. */
  point({ motion, scheme, h, tol }) {
    return withRun(motion, scheme, h, (run) => ({ h, tol, ...measured(motion, run) }));
  },

  lines({ motion, series }) {
    const { norm, of } = motion;
    const line = (s, by, against) => {
      const points = s.points.filter((p) => p[by] > 0);
      const [xs, errors] = [points.map((p) => p[by]), points.map((p) => p.error)];
      return points.length < 3 ? { fault: "" } : attempt(() => library.line(referenceOf(motion), s.name, norm, of, xs, errors, against));
    };
    return series.map((s) => ({ h: line(s, "h", "step"), evals: line(s, "evals", "evals") }));
  },

  energy({ motion, scheme }) {
    return attempt(() => catalogueOf(motion).energy(motion.model, motion.set, scheme.text, scheme.needsStep ? Number(motion.h) : 0, Number(motion.end)));
  },

  command({ motion, command, options }) {
    return catalogueOf(motion).command(command, motion.model, options);
  },

  studies({ text }) {
    return library.runStudies(catalogueOf({ model: "", yaml: "" }), text);
  },
};

let opened = null; // a promise: the library is there

self.onmessage = async ({ data }) => {
  if (data.code) {
    opened = openLibrary(data.code).then((it) => { library = it; });
    return;
  }
  try {
    await opened;
    self.postMessage({ answer: answers[data.question.what](data.question.of) });
  } catch (error) {
    self.postMessage({ failure: { message: error.message, line: error.line, column: error.column } });
  }
};
