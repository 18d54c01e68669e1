/* plots.js -- what is drawn: curves over time, the body, the points.
 * SPDX-License-Identifier: GPL-3.0-or-later */
"use strict";

/* --- plots over time --- */

const strip = 56; // for the body

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
