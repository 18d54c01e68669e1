/* playground.js -- the page: what is asked when something moves, and what is shown when it is answered.
 * SPDX-License-Identifier: GPL-3.0-or-later */
"use strict";

const LEVELS = 13; // steps, or tolerances, of the plots of errors
const TOLERANCES = [1e-3, 1e-9]; // first and last
const NARROW = 1024; // pixels: only the controls of step and error are open
const REST = 150; // ms without a move, after which the study worker begins
const PATIENCE = 1500; // ms for an answer that is out of date
const PICTURES = ["position", "velocity", "phase", "over-step", "over-work", "energy"];

const page = {
  motionWorker: null, // trajectories and errors, at once
  studyWorker: null, // errors over all steps, energy, the command: afterwards
  entries: null, // models, schemes, norms
  model: null, // its parameters and coordinates, reasons why schemes do not treat it
  motion: null, // the last answer
  series: [], // of each scheme {name, needsStep, points, now, lines}
  energies: [],
  notes: [], // what was dropped of the state, shown with the next motion
  errorsOf: "", // what the plots of errors belong to
  generation: 0, // of what the study worker computes
  settled: false, // everything is computed
  link: 0, // timer: the address follows when the sliders rest
};

const ask = (worker, what, of) => worker.ask(what, { what, of });
const schemeEntry = (name) => page.entries.schemes.find((entry) => entry.name === name);
const stepsOf = (end) => [20, 4000].map((count) => rounded(Number(end) / count, 2));

function tell(text, bad) {
  byId("messages").textContent = text;
  byId("messages").hidden = text === "";
  byId("messages").className = bad ? "warning" : "";
}

const failed = (error) => tell(error.message, true);

/* --- questions --- */

/* A scheme with the tolerance of the slider, unless its own option says another. */
function askedScheme({ name, options }, tol) {
  const { needsStep, hasTol } = schemeEntry(name);
  const all = hasTol && !needsStep && options.tol === undefined ? { ...options, tol } : options;
  return { text: textOfScheme({ name, options: all }), needsStep, hasTol: hasTol && !needsStep };
}

/* The text of the model of one's own. */
const askedText = () => ({ yaml: state.yaml, matrices: isMatrices(state.yaml) });

const askedMotion = () => ({ model: state.model, set: wordsOf(state.set), end: state.end, h: state.h, norm: state.norm, of: state.of,
  shown: Number(state.shown), ...askedText(), schemes: state.schemes.map((scheme) => askedScheme(scheme, state.tol)) });

/* The study of the page as a command of the tool. */
function askedCommand(motion) {
  const law = motion.set.filter((word) => word.startsWith("law="));
  const set = motion.set.filter((word) => !word.startsWith("law="));
  const options = [...set.map((word) => ["set", word]), ...law.map((word) => ["law", word.slice(4)]),
    ...motion.schemes.map((scheme) => ["scheme", scheme.text]), ["end", motion.end], ["steps", `${stepsOf(motion.end).join(":")}:${LEVELS}`],
    ["repeats", "1"], ["norm", motion.norm], ["of", motion.of]];
  return { motion, command: "order", options };
}

/* --- what is shown --- */

const figureOf = (name) => byId(`picture-${name}`);

function addPictures() {
  const style = document.createElement("style");
  style.textContent = PICTURE_STYLE.replaceAll(/(^|\})([^{}]+)\{/g, "$1#pictures svg $2{");
  document.head.append(style);
  byId("pictures").innerHTML = PICTURES.map((name) => `<figure id="picture-${name}"><svg role="img" aria-label="${name.replace("-", " ")}"></svg>` +
    `<figcaption><button type="button" aria-label="Save ${name.replace("-", " ")} as SVG">Save as SVG</button></figcaption></figure>`).join("");
  PICTURES.forEach((name) => figureOf(name).querySelector("button").addEventListener("click", () =>
    saveText(`${state.model}-${name}.svg`, "image/svg+xml", pictureText(figureOf(name).querySelector("svg")))));
}

function drawMotions() {
  const { words, unit, rate } = page.model.coordinates[Number(state.shown)];
  const time = { label: "time t", unit: "s" };
  const [q, v] = [{ label: `q${state.shown}`, unit }, { label: `v${state.shown}`, unit: rate }];
  drawMotion(figureOf("position"), `${state.model}: ${words}`, page.motion, "position", time, q);
  drawMotion(figureOf("velocity"), `${state.model}: velocity of ${words}`, page.motion, "velocity", time, v);
  drawMotion(figureOf("phase"), `${state.model}: phase portrait`, page.motion, "phase", q, v);
}

function drawStudy() {
  const y = { label: `error of ${state.of} (${state.norm})`, unit: page.motion.unit };
  drawErrors(figureOf("over-step"), `${state.model}: error over step`, page.series, "h", { label: "step h", unit: "s" }, y);
  drawErrors(figureOf("over-work"), `${state.model}: error over work`, page.series, "evals", { label: "evaluations", unit: "" }, y);
}

function showMotion(motion, notes) {
  page.motion = motion;
  byId("reference").textContent = motion.reference ? motion.reference.text : `missing: ${motion.fault}`;
  const warnings = motion.runs.flatMap((run) => (run.warnings || []).slice(0, 3).map((text) => `${run.name}: ${text}`));
  tell([...notes, motion.fault, ...warnings].filter(Boolean).join("\n"), motion.fault !== "" || notes.length > 0);
  tellErrors(motion);
  drawMotions();
  page.series.forEach((series, i) => {
    const { error, steps, evals } = motion.runs[i];
    series.now = error > 0 ? { h: series.needsStep ? Number(state.h) : NaN, error, steps, evals } : null;
  });
  drawStudy();
  fillEventChoice();
}

const eventSources = () => [page.motion.reference, ...page.motion.runs].filter((run) => run && run.events);

function fillEventChoice() {
  const names = eventSources().map((run) => run.name);
  const before = byId("events-of").value;
  fillSelect(byId("events-of"), names.map((name) => ({ name })), names.includes(before) ? before : names[0]);
  showEvents();
}

function showEvents() {
  const run = eventSources().find((source) => source.name === byId("events-of").value);
  tellEvents(run ? run.events : []);
}

/* --- what follows a move --- */

async function update() {
  const motion = askedMotion();
  const { notes } = page;
  const generation = ++page.generation;
  const isOld = () => generation !== page.generation;
  const errorsOf = JSON.stringify({ ...motion, h: "", shown: 0 });
  const changed = errorsOf !== page.errorsOf;
  clearTimeout(page.link);
  page.link = setTimeout(() => history.replaceState(null, "", linkOfState()), 300);
  page.settled = false;
  page.notes = [];
  if (changed) {
    page.series = motion.schemes.map(({ text, needsStep, hasTol }) => ({ name: text, needsStep, hasTol, points: [], now: null, lines: {} }));
    page.errorsOf = "";
  }
  try {
    showMotion(await ask(page.motionWorker, "motion", motion), notes);
    await new Promise((rested) => setTimeout(rested, REST));
    if (isOld()) {
      return;
    }
    const command = await ask(page.studyWorker, "command", askedCommand(motion));
    byId("command").textContent = command.fault || command;
    if (changed) {
      await addPoints(motion, isOld);
      await addLines(motion, isOld);
      page.errorsOf = isOld() ? page.errorsOf : errorsOf;
    }
    await addEnergies(motion, isOld);
    page.settled = !isOld();
  } catch (error) {
    failed(error);
  }
}

/* The plots of errors point by point, coarse ones first. What is out of date ends at its next point. */
async function addPoints(motion, isOld) {
  const between = ([a, b], level) => a * (b / a) ** (level / (LEVELS - 1));
  const steps = stepsOf(motion.end).map(Number);
  for (let level = 0; level < LEVELS && !isOld(); level++) {
    for (let i = 0; i < motion.schemes.length && !isOld(); i++) {
      const { needsStep, hasTol } = motion.schemes[i];
      const [h, tol] = [between(steps, level), rounded(between(TOLERANCES, level), 3)];
      if (needsStep || hasTol) {
        const scheme = hasTol ? askedScheme({ ...state.schemes[i], options: { ...state.schemes[i].options, tol } }, tol) : motion.schemes[i];
        const point = await ask(page.studyWorker, "point", { motion, scheme, h: needsStep ? h : NaN, tol }).catch((error) => ({ fault: error.message }));
        if (!isOld() && !point.fault) {
          page.series[i].points.push(point);
        }
      }
    }
    if (!isOld() && level % 3 === 0) {
      drawStudy();
    }
  }
}

async function addLines(motion, isOld) {
  if (isOld()) {
    return;
  }
  const series = page.series.map(({ name, points }) => ({ name, points }));
  const lines = await ask(page.studyWorker, "lines", { motion, series });
  if (!isOld()) {
    page.series.forEach((s, i) => { s.lines = lines[i]; });
    tellOrders(page.series);
    drawStudy();
  }
}

async function addEnergies(motion, isOld) {
  const energies = [];
  for (const scheme of motion.schemes) {
    if (isOld()) {
      return;
    }
    energies.push({ name: scheme.text, ...await ask(page.studyWorker, "energy", { motion, scheme }) });
  }
  if (!isOld()) {
    page.energies = energies;
    byId("ledger").textContent = energies.map((e) => e.table || `${e.name}\n  ${e.fault}\n`).join("\n");
    drawEnergy(figureOf("energy"), `${state.model}: energy`, energies, Number(motion.end));
  }
}

/* --- the page opens --- */

async function open() {
  const [address, code] = await Promise.all([workerAddress(), compiledCode()]);
  page.motionWorker = libraryWorker(address, code, PATIENCE);
  page.studyWorker = libraryWorker(address, code, PATIENCE);
  page.entries = await ask(page.motionWorker, "open", {});
  byId("playground").hidden = false;
  byId("status").hidden = true;
  addPictures();
  bindControls();
  if (window.innerWidth < NARROW) {
    byId("controls").querySelectorAll("details").forEach((box, i) => { box.open = i === 2; });
  }
  await openLink();
}

open().catch((error) => {
  byId("status").textContent = `The library does not start: ${error.message}. The page needs a browser with WebAssembly and DecompressionStream.`;
  byId("status").className = "warning";
});
