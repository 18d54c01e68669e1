/* tables.js -- the runs of the page, and where the sliders stand.
 * SPDX-License-Identifier: GPL-3.0-or-later */
"use strict";
const byId = (id) => document.getElementById(id);
const lesson = JSON.parse(byId("tables").textContent);
const sliders = lesson.sliders.map((s) => ({ ...s, values: s.values.split(";") }));
const at = sliders.map((s) => s.start); // where they stand
const sweep = sliders.length - 1; // the one whose values stand on the plot of points: the step, or another
const swept = sliders[sweep].values.map(Number);
const linear = lesson.step !== undefined; // the step is not swept, and the plot of points has plain axes
let now = 0.4 * lesson.longest; // s, the instant that is shown

/* --- nodes of curves, two characters a number --- */

const unit = 4095;
const digits = new Uint8Array(128);
[..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"].forEach((c, i) => {
  digits[c.charCodeAt(0)] = i;
});
const unpacked = new Map();

/* The nodes of a curve as arrays of parts in [0, 1]: first the time, then each panel. */
function unpack(text) {
  if (!unpacked.has(text)) {
    const columns = 1 + lesson.panels.length;
    const count = text.length / 2 / columns;
    const arrays = Array.from({ length: columns }, () => new Float64Array(count));
    for (let i = 0, k = 0; i < count; i++) {
      for (let j = 0; j < columns; j++, k += 2) {
        arrays[j][i] = (64 * digits[text.charCodeAt(k)] + digits[text.charCodeAt(k + 1)]) / unit;
      }
    }
    unpacked.set(text, arrays);
  }
  return unpacked.get(text);
}

/* The value of a curve at a part of time, right limit; null if there is no curve. */
function valueAt(curve, column, t) {
  const [times, x] = [curve[0], curve[column]];
  let low = 0;
  let high = times.length - 1;
  if (high < 0) {
    return null;
  }
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (times[middle] <= t) {
      low = middle;
    } else {
      high = middle;
    }
  }
  const width = times[high] - times[low];
  const part = width > 0 ? Math.min(Math.max((t - times[low]) / width, 0), 1) : 1;
  return x[low] + part * (x[high] - x[low]);
}

/* --- runs --- */

const changesMotion = (slider) => ["parameter", "law", "end"].includes(slider.role);

/* The number of a motion, and that of a run among its runs. */
function numbers(positions) {
  let motion = 0;
  let run = 0;
  sliders.forEach((s, i) => {
    if (changesMotion(s)) {
      motion = motion * s.values.length + positions[i];
    } else {
      run = run * s.values.length + positions[i];
    }
  });
  return { motion, run };
}

/* [errors, nodes, why it failed] */
function runAt(positions) {
  const { motion, run } = numbers(positions);
  return lesson.motions[motion].runs[run];
}

/* All that is shown for where the sliders stand; instant is a part of time, not behind the end. */
function lookUp() {
  const { nodes: exactNodes, reference } = lesson.motions[numbers(at).motion];
  const [errors, nodes, failed] = runAt(at);
  const exact = unpack(exactNodes);
  const instant = Math.min(now / lesson.longest, exact[0][exact[0].length - 1]);
  return { exact, curve: unpack(nodes), errors, failed, reference, instant };
}

/* The command that makes the run once more. */
function commandOf() {
  const values = (role) => sliders.map((s, i) => ({ role: s.role, name: s.name, value: s.values[at[i]] }))
    .filter((s) => s.role === role);
  const value = (role, other) => (values(role)[0] || { value: other }).value;
  const named = (role) => values(role).map((s) => `${s.name}=${s.value}`);
  const settings = [...lesson.settings.split(";").filter((s) => s), ...named("parameter")];
  const options = named("option").join(",");
  let scheme = value("scheme", lesson.scheme);
  if (options) {
    scheme += (scheme.includes(":") ? "," : ":") + options;
  }
  const words = ["delassus run", lesson.model, ...settings.map((s) => `--set ${s}`)];
  words.push(...values("law").map((s) => `--law ${s.value}`), `--scheme ${scheme}`);
  words.push(`--step ${lesson.step || value("step")}`, `--end ${value("end", lesson.longest)}`, "--plot run.png");
  return words.join(" ");
}

/* --- points that the reader has dropped --- */

const dropped = []; // {key, place, errors}: key says where the other sliders were
const keyNow = () => at.slice(0, sweep).join(",");

function drop(place, errors) {
  const key = keyNow();
  if (errors.length > 0 && !dropped.some((d) => d.key === key && d.place === place)) {
    dropped.push({ key, place, errors });
  }
}

/* Least squares in the logarithms: the slope of points at five steps or more, a factor of four apart; else null. */
function slopeOf(index) {
  const points = dropped.filter((d) => d.key === keyNow() && d.errors[index] > 0)
    .map((d) => [Math.log(swept[d.place]), Math.log(d.errors[index])]);
  const x = points.map((p) => p[0]);
  if (points.length < 5 || Math.max(...x) - Math.min(...x) < Math.log(4)) {
    return null;
  }
  const sum = (list) => list.reduce((a, b) => a + b, 0);
  const mean = sum(x) / x.length;
  const slope = sum(points.map((p) => (p[0] - mean) * p[1])) / sum(x.map((v) => (v - mean) ** 2));
  return { count: points.length, slope };
}
