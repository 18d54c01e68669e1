/* live.js -- sliders that stand between the values of the tables, where the library in this page computes what is shown. What it has
 * computed is looked up as the tables are. Without the library the page stays as it is, and reports it.
 * SPDX-License-Identifier: GPL-3.0-or-later */
"use strict";

const PLACES = 200; // of a slider, at least; those of whole numbers have one place for a number at most
const BETWEEN = [5, 10, 20, 50, 100, 200]; // places from one value of the tables to the next: decimal fractions
const PATIENCE = 1500; // ms for an answer that is out of date
const DIGITS = 4; // of values between, as of steps in the tables

/* Lists of values get members between their places, values[2.35]; one of whole numbers whole ones. */
function addValues(slider, known, whole, fine) {
  for (let k = 0; k < fine * (known.length - 1); k++) {
    const [a, b] = known.slice(Math.floor(k / fine));
    const part = (k % fine) / fine;
    const value = slider.role === "step" ? a * (b / a) ** part : a + (b - a) * part;
    if (part > 0) {
      slider.values[k / fine] = String(whole ? Math.round(value) : Number(value.toPrecision(DIGITS)));
    }
  }
}

/* How many values of DIGITS digits, or whole ones, are from a to b. */
function countFrom(a, b, whole) {
  const last = whole ? 1 : 10 ** (Math.floor(Math.log10(Math.max(Math.abs(a), Math.abs(b)))) - DIGITS + 1);
  return Math.floor(Math.abs(b - a) / last + 1e-6);
}

/* The inputs stand in the order of the page: that of the last slider first. Each place has another value. */
function openSlider(slider, i) {
  const known = slider.values.map(Number);
  const whole = known.every(Number.isInteger);
  const most = Math.min(...known.slice(1).map((value, k) => countFrom(known[k], value, whole)));
  const allowed = BETWEEN.filter((n) => n <= most);
  const fine = (!whole && allowed.find((n) => n * (known.length - 1) >= PLACES)) || allowed.at(-1) || 1;
  if (!known.some(Number.isNaN)) { // words stay as they are
    addValues(slider, known, whole, fine);
    document.querySelectorAll("#sliders > label input")[(i + 1) % sliders.length].step = 1 / fine;
  }
}

/* --- what is computed, in the lists of the tables under keys that are no indices --- */

const inTables = (positions) => positions.every(Number.isInteger);
const keyOf = (positions, ofMotion) => `at ${positions.filter((_, i) => changesMotion(sliders[i]) === ofMotion)}`;
const tableNumbers = numbers;
const tableRun = runAt;
const tableLookUp = lookUp;
const showAll = update;
let worker = null;
let last = lookUp(); // what is shown while the library computes
const wanted = []; // positions whose points are to be dropped

function isKnown(positions) {
  const { motion, run } = numbers(positions);
  return inTables(positions) || (lesson.motions[motion] !== undefined && lesson.motions[motion].runs[run] !== undefined);
}

async function compute(topic, positions) {
  const values = sliders.map((s, i) => s.values[positions[i]]);
  const none = "f".repeat(1 + lesson.panels.length); // nodes of a reference that could not be computed
  const answer = await worker.ask(topic, { what: "run", of: { name: lesson.lesson, values } })
    .catch((error) => ({ reference: "missing", nodes: none, runs: [[[], "", error.message]] }));
  const { motion, run } = numbers(positions);
  const before = lesson.motions[motion];
  if (!before || before.nodes === none) {
    lesson.motions[motion] = { ...answer, runs: before ? before.runs : {} };
  }
  [lesson.motions[motion].runs[run]] = answer.runs;
}

/* One after the other; those of other positions of the other sliders are left out. */
async function computeWanted() {
  const isHere = (positions) => positions.slice(0, sweep).join() === keyNow();
  for (; wanted.length > 0; wanted.shift()) {
    const positions = wanted[0];
    if (isHere(positions) && !isKnown(positions)) {
      await compute("points", positions);
    }
    if (isHere(positions) && isKnown(positions)) {
      drop(positions[sweep], runAt(positions)[0]);
      drawOrder();
      tellSlopes();
    }
  }
}

function want(positions) {
  wanted.push(positions);
  if (wanted.length === 1) {
    computeWanted();
  }
}

/* --- in the place of functions of the tables --- */

function liveNumbers(positions) {
  return inTables(positions) ? tableNumbers(positions) : { motion: keyOf(positions, true), run: keyOf(positions, false) };
}

function liveRun(positions) {
  if (isKnown(positions)) {
    return tableRun(positions);
  }
  want(positions);
  return [[], ""];
}

function liveLookUp() {
  last = isKnown(at) ? tableLookUp() : last;
  return { ...last, instant: Math.min(now / lesson.longest, last.exact[0].at(-1)) };
}

async function liveUpdate() {
  const positions = [...at];
  byId("lab").setAttribute("aria-busy", !isKnown(positions));
  if (!isKnown(positions)) {
    await compute("run", positions);
  }
  if (positions.join() === at.join()) {
    byId("lab").setAttribute("aria-busy", false);
    showAll();
  }
}

async function goLive() {
  worker = libraryWorker(await workerAddress(), await compiledCode(), PATIENCE);
  await worker.ask("run", { what: "run", of: { name: lesson.lesson, values: sliders.map((s, i) => s.values[at[i]]) } });
  window.removeEventListener("resize", update);
  [numbers, runAt, lookUp, update] = [liveNumbers, liveRun, liveLookUp, liveUpdate];
  window.addEventListener("resize", update);
  sliders.forEach(openSlider);
  Object.entries(sliders[sweep].values).forEach(([place, value]) => { swept[place] = Number(value); });
}

goLive().catch((error) => {
  const line = document.createElement("p");
  line.className = "warning";
  line.textContent = `The sliders stop at the values of the tables: the library does not run in this browser (${error.message}).`;
  byId("sliders").after(line);
});
