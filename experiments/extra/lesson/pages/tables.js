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
const plain = linear || lesson.plain === true; // its points are values of the first measure, not errors
let now = 0.4 * lesson.longest; // s, the instant that is shown

/* --- nodes of curves, packed by lesson_pack.c --- */

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
    const nodes = [];
    let [a, b] = Array(2).fill(Array(columns).fill(0)); // the last two
    let k = 0;
    const digit = () => digits[text.charCodeAt(k++)];
    while (k < text.length) {
      const node = [];
      const span = b[0] - a[0];
      for (let j = 0; j < columns; j++) {
        const guess = b[j] + (j === 0 ? span : span > 0 ? Math.trunc(((b[j] - a[j]) * (node[0] - b[0])) / span) : 0);
        const first = digit();
        node.push(first < 63 ? guess + first - 31 : 64 * digit() + digit());
      }
      nodes.push(node);
      [a, b] = [b, node];
    }
    unpacked.set(text, Array.from({ length: columns }, (_, j) => Float64Array.from(nodes, (node) => node[j] / unit)));
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

/* Student's quantile for an interval of 95 %, by degrees of freedom; the last row is the expansion by 1 / freedom. */
function studentOf(freedom) {
  const table = [12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228];
  return freedom <= table.length ? table[freedom - 1] : 1.96 + (2.372 + 2.823 / freedom) / freedom;
}

/* Least squares through points [x, y]: slope and half of its 95 % interval. */
function lineOf(points) {
  const sum = (of) => points.reduce((total, p) => total + of(p), 0);
  const [x, y] = [0, 1].map((i) => sum((p) => p[i]) / points.length);
  const spread = sum((p) => (p[0] - x) ** 2);
  const slope = sum((p) => (p[0] - x) * (p[1] - y)) / spread;
  const left = sum((p) => (p[1] - y - slope * (p[0] - x)) ** 2);
  const freedom = points.length - 2;
  const half = freedom > 0 ? studentOf(freedom) * Math.sqrt(left / freedom / spread) : Infinity;
  return { slope, half };
}

/* Is the slope of one half a factor of 1.5 from that of the other, beyond their intervals, or of the other sign? */
function isBent(coarse, fine) {
  const [above, below] = coarse.slope > fine.slope ? [coarse, fine] : [fine, coarse];
  const [upper, lower] = [above.slope - above.half, below.slope + below.half];
  return upper > lower && (upper * lower <= 0 ||
    Math.max(Math.abs(upper), Math.abs(lower)) > 1.5 * Math.min(Math.abs(upper), Math.abs(lower)));
}

/* Medians of four groups of neighbours, in place of those of repeated steps: does the slope leave more than a tenth of their variance? */
function isScattered(sorted, slope) {
  const size = Math.floor(sorted.length / 4);
  const groups = [0, 1, 2, 3].map((i) => sorted.slice(i * size, i < 3 ? (i + 1) * size : undefined));
  const offsets = groups.map((group) => {
    const list = group.map((p) => p[1] - slope * p[0]).sort((a, b) => a - b);
    return (list[Math.floor((list.length - 1) / 2)] + list[Math.ceil((list.length - 1) / 2)]) / 2;
  });
  const medians = groups.map((group, i) =>
    offsets[i] + slope * group.reduce((total, p) => total + p[0], 0) / group.length);
  const variance = (list) => {
    const mean = list.reduce((a, b) => a + b) / list.length;
    return list.reduce((total, x) => total + (x - mean) ** 2, 0);
  };
  return variance(offsets) > 0.1 * variance(medians);
}

/* The reason why points [log h, log error] follow no power law, by the rules of `order`; else "". */
function noLaw(points) {
  const sorted = [...points].sort((a, b) => a[0] - b[0]);
  const all = lineOf(sorted);
  const each = Math.ceil(sorted.length / 2); // a point in the middle belongs to both halves
  const [fine, coarse] = [lineOf(sorted.slice(0, each)), lineOf(sorted.slice(-each))];
  const two = (x) => minus(x.toFixed(2));
  if (Math.abs(all.slope) * (sorted.at(-1)[0] - sorted[0][0]) < Math.log(1.5)) {
    return "the error hardly changes";
  }
  if (!(Math.abs(all.slope) > all.half)) {
    return "its 95 % interval contains 0";
  }
  if (isBent(coarse, fine)) {
    return `${two(coarse.slope)} with large h, ${two(fine.slope)} with small h`;
  }
  return isScattered(sorted, all.slope) ? "the points are off any line" : "";
}

/* The slope of points at five or more steps over a factor of four, and the reason if they follow no power law; else null. */
function slopeOf(index) {
  const points = dropped.filter((d) => d.key === keyNow() && d.errors[index] > 0)
    .map((d) => [Math.log(swept[d.place]), Math.log(d.errors[index])]);
  const x = points.map((p) => p[0]);
  if (points.length < 5 || Math.max(...x) - Math.min(...x) < Math.log(4)) {
    return null;
  }
  return { count: points.length, slope: lineOf(points).slope, reason: noLaw(points) };
}
