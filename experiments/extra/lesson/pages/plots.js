/* plots.js -- what is drawn: curves over time, the body, the points.
 * SPDX-License-Identifier: GPL-3.0-or-later */
"use strict";

/* --- numbers as text --- */

const minus = (text) => String(text).replace("-", "−");
const raised = (n) => String(n).replace(/./g, (c) => (c === "-" ? "⁻" : "⁰¹²³⁴⁵⁶⁷⁸⁹"[c]));
const withUnit = (value, name) => (name ? `${value} ${name}` : value);
const inUnit = (label, name) => (name ? `${label} [${name}]` : label);

function spoken(x) {
  if (x === null || x === undefined) {
    return "none";
  }
  const plain = x === 0 || (Math.abs(x) >= 1e-3 && Math.abs(x) < 1e4);
  return plain ? String(Number(x.toPrecision(3))) : x.toExponential(2);
}

/* Round numbers inside of a range, some four of them. */
function ticks(low, high) {
  const rough = (high - low) / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const distance = power * [1, 2, 5, 10].find((m) => m * power >= rough);
  const list = [];
  for (let k = Math.ceil(low / distance - 1e-9); k * distance <= high + 1e-9 * distance; k++) {
    list.push(Number((k * distance).toPrecision(6)));
  }
  return list;
}

/* --- pieces of pictures --- */

const path = (name, d) => `<path class="${name}" d="${d}"/>`;
const words = (x, y, anchor, text) => `<text x="${x}" y="${y}" text-anchor="${anchor}">${text}</text>`;

const margin = { left: 52, right: 14, top: 26, bottom: 40 };
const strip = 56; // for the body

/* The frame of a plot, in pixels, and what turns parts of its sides into them. */
function frameOf(width, height, right) {
  const f = { left: margin.left, right: width - margin.right - right };
  Object.assign(f, { top: margin.top, bottom: height - margin.bottom });
  f.x = (part) => (f.left + part * (f.right - f.left)).toFixed(1);
  f.y = (part) => (f.bottom - part * (f.bottom - f.top)).toFixed(1);
  f.outline = `M${f.left} ${f.top}H${f.right}V${f.bottom}H${f.left}Z`;
  return f;
}

/* columns and rows: [part, text] of ticks. */
function axesOf(f, columns, rows, across, up) {
  let text = "";
  for (const [part, label] of columns) {
    text += path("grid", `M${f.x(part)} ${f.top}V${f.bottom}`) + words(f.x(part), f.bottom + 17, "middle", label);
  }
  for (const [part, label] of rows) {
    text += path("grid", `M${f.left} ${f.y(part)}H${f.right}`);
    text += words(f.left - 6, Number(f.y(part)) + 4, "end", label);
  }
  return text + path("frame", f.outline) + words(f.left, f.top - 9, "start", up) +
    words(f.right, f.bottom + 34, "end", across);
}

/* --- plots over time --- */

function curveOf(f, curve, column) {
  let text = "";
  for (let i = 0; i < curve[0].length; i++) {
    text += `${i ? "L" : "M"}${f.x(curve[0][i])} ${f.y(curve[column][i])}`;
  }
  return text;
}

/* The ball beside its plot, full by the run, a ring by the reference. */
function bodyOf(f, panel, column, shown) {
  const x = f.right + strip / 2 + 6;
  const radius = 11;
  const put = (curve, name, r) => {
    const value = valueAt(curve, column, shown.instant);
    return value === null ? "" : `<circle class="${name}" cx="${x}" cy="${f.y(value) - radius}" r="${r}"/>`;
  };
  const floor = f.y((0 - panel.low) / (panel.high - panel.low));
  return path("floor", `M${x - 24} ${floor}H${x + 24}`) + put(shown.curve, "ball", radius) +
    put(shown.exact, "ghost", radius - 1);
}

/* All points up to the distance away from the reference at this instant: each such box has a point of the run. */
function boxOf(f, panel, column, shown) {
  const index = lesson.measures.findIndex((m) => m.norm === "hausdorff" && m.of[0] === panel.column[0]);
  const distance = index < 0 ? null : shown.errors[index];
  const value = valueAt(shown.exact, column, shown.instant);
  if (distance === null || distance === undefined || value === null) {
    return "";
  }
  const wide = (distance / lesson.longest) * (f.right - f.left);
  const high = (distance / (panel.high - panel.low)) * (f.bottom - f.top);
  const [x, y] = [f.x(shown.instant) - wide, f.y(value) - high];
  return `<rect class="box" x="${x}" y="${y}" width="${2 * wide}" height="${2 * high}"/>`;
}

function drawPanel(figure, panel, index, shown) {
  const svg = figure.querySelector("svg");
  const width = Math.max(figure.clientWidth, 280);
  const height = 250;
  const f = frameOf(width, height, panel.body ? strip : 0);
  const columns = ticks(0, lesson.longest).map((t) => [t / lesson.longest, t]);
  const rows = ticks(panel.low, panel.high).map((v) => [(v - panel.low) / (panel.high - panel.low), minus(v)]);
  svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
  svg.innerHTML = `<clipPath id="clip${index}"><path d="${f.outline}"/></clipPath>` +
    axesOf(f, columns, rows, "time t [s]", inUnit(panel.label, panel.unit)) +
    path("exact", curveOf(f, shown.exact, index + 1)) + path("run", curveOf(f, shown.curve, index + 1)) +
    `<g clip-path="url(#clip${index})">${boxOf(f, panel, index + 1, shown)}</g>` +
    path("now", `M${f.x(shown.instant)} ${f.top}V${f.bottom}`) +
    (panel.body ? bodyOf(f, panel, index + 1, shown) : "");
}

function drawMotion(shown) {
  document.querySelectorAll("#plots figure").forEach((figure, i) => drawPanel(figure, lesson.panels[i], i, shown));
}

/* --- the plot of points --- */

/* Where a number stands on an axis, in [0, 1]; a range is in logarithms to base 10 unless the axis is plain. */
const raw = (x, isPlain) => (isPlain ? x : Math.log10(x));
const partOf = (x, range, isPlain) => (raw(x, isPlain) - range[0]) / (range[1] - range[0]);
const measured = plain ? lesson.measures.slice(0, 1) : lesson.measures; // what the points show

/* All errors of the lesson lie in it; decades are whole, from 1e-12 to 1e6 at most. */
const errorRange = (() => {
  const all = lesson.motions.flatMap((m) => m.runs.flatMap((run) => run[0].slice(0, measured.length)))
    .filter((e) => e !== null && e > 0);
  const [low, high] = all.reduce(([a, b], e) => [Math.min(a, e), Math.max(b, e)], [Infinity, 0]);
  return plain ? [0, 1.05 * high] : [Math.max(Math.floor(raw(low)), -12), Math.min(Math.ceil(raw(high)), 6)];
})();

const sweptRange = (() => {
  const [low, high] = [raw(Math.min(...swept), linear), raw(Math.max(...swept), linear)];
  return [low - 0.03 * (high - low), high + 0.03 * (high - low)];
})();

function logTicks(range, factors, text) {
  const list = [];
  for (let d = Math.floor(range[0]); d <= range[1]; d++) {
    list.push(...factors.map((m) => [partOf(m * 10 ** d, range), text(m * 10 ** d, d)]));
  }
  return list.filter(([part]) => part > -1e-9 && part < 1 + 1e-9);
}

const plainTicks = (range) => ticks(...range).map((v) => [partOf(v, range, true), v]);

function orderAxes(f) {
  const every = Math.ceil((errorRange[1] - errorRange[0]) / 8);
  const decade = (v, d) => (d % every === 0 ? `10${raised(d)}` : "");
  const rows = plain ? plainTicks(errorRange) : logTicks(errorRange, [1], decade);
  const columns = linear ? plainTicks(sweptRange) : logTicks(sweptRange, [1, 2, 5], (v) => Number(v.toPrecision(1)));
  const across = inUnit(sliders[sweep].label, sliders[sweep].unit);
  return axesOf(f, columns, rows, across, plain ? lesson.measures[0].label : "error");
}

/* A line of order one, to compare with; of ratios one, or the e of the model. */
function guideOf(f) {
  if (plain) {
    const e = linear ? -1 : sliders.findIndex((s) => s.name === "e");
    const value = e < 0 ? 1 : Number(sliders[e].values[at[e]]);
    return path("guide", `M${f.left} ${f.y(partOf(value, errorRange, true))}H${f.right}`);
  }
  const x1 = sweptRange[1] - 0.05;
  const x0 = Math.max(sweptRange[0] + 0.05, x1 - (errorRange[1] - errorRange[0]) + 0.2);
  const y1 = errorRange[1] - 0.1;
  const partIn = (v, range) => (v - range[0]) / (range[1] - range[0]);
  const place = (x) => [f.x(partIn(x, sweptRange)), f.y(partIn(y1 - (x1 - x), errorRange))];
  const [tx, ty] = place((x0 + x1) / 2);
  return path("guide", `M${place(x0).join(" ")}L${place(x1).join(" ")}`) + words(tx - 8, ty - 8, "end", "slope 1");
}

const marks = [
  (x, y) => `M${x - 3.5} ${y}a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0 -7 0`,
  (x, y) => `M${x - 3.2} ${y - 3.2}h6.4v6.4h-6.4z`,
  (x, y) => `M${x} ${y - 4.2}l4.2 7.2h-8.4z`,
];
const ring = (x, y) => `M${x - 7} ${y}a7 7 0 1 0 14 0a7 7 0 1 0 -14 0`;

function pointsOf(f, index, chosen, shape) {
  let text = "";
  for (const d of chosen) {
    const e = d.errors[index];
    if (e !== null && (plain || e > 0)) {
      const part = Math.min(Math.max(partOf(e, errorRange, plain), 0), 1);
      text += shape(Number(f.x(partOf(swept[d.place], sweptRange, linear))), Number(f.y(part)));
    }
  }
  return text;
}

function drawOrder() {
  const figure = byId("order");
  const svg = figure.querySelector("svg");
  const width = Math.max(figure.clientWidth, 280);
  const height = Math.min(420, Math.max(320, 0.5 * width));
  const f = frameOf(width, height, 0);
  const here = dropped.filter((d) => d.key === keyNow());
  const others = dropped.filter((d) => d.key !== keyNow());
  const last = here.filter((d) => d.place === at[sweep]);
  svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
  svg.innerHTML = orderAxes(f) + guideOf(f) + measured.map((m, i) =>
    path(`m${i} old`, pointsOf(f, i, others, marks[i])) + path(`m${i}`, pointsOf(f, i, here, marks[i])) +
    path(`m${i} last`, pointsOf(f, i, last, ring))).join("");
}
