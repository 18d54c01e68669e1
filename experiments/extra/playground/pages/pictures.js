/* pictures.js -- a picture of curves and points, as SVG that is whole by itself; and the six pictures of the page.
 * SPDX-License-Identifier: GPL-3.0-or-later */
"use strict";

const GREY = "#B0B0B0"; // of the reference, as in pictures of the tool
const PICTURE_STYLE = "text{font:13px 'DejaVu Sans',Verdana,sans-serif;fill:#1c1c1a}.title{font-weight:bold}" +
  ".grid{stroke:#e4e4de;fill:none}.frame{stroke:#5c5c55;fill:none}.curve{fill:none;stroke-linejoin:round}.now{stroke:#5c5c55;fill:none}";

/* --- marks, by gnuplot's numbers --- */

const polygon = (corners, radius, turn) => (x, y) => Array.from({ length: corners }, (_, i) => {
  const angle = turn + (2 * Math.PI * i) / corners;
  return `${i ? "L" : "M"}${(x + radius * Math.sin(angle)).toFixed(1)} ${(y - radius * Math.cos(angle)).toFixed(1)}`;
}).join("") + "Z";
const strokes = (...ends) => (x, y) => ends.map(([dx, dy]) => `M${x - dx} ${y - dy}L${x + dx} ${y + dy}`).join("");
const markShapes = {
  1: strokes([4, 0], [0, 4]),
  2: strokes([3.2, 3.2], [3.2, -3.2]),
  3: strokes([4, 0], [0, 4], [3, 3], [3, -3]),
  5: polygon(4, 4.8, Math.PI / 4),
  7: polygon(16, 4, 0),
  9: polygon(3, 5, 0),
  11: polygon(3, 5, Math.PI),
  13: polygon(4, 5, 0),
  15: polygon(5, 4.6, 0),
};
const isHollow = (mark) => mark > 3 && mark % 2 === 0;
const shapeOf = (mark) => markShapes[isHollow(mark) ? mark + 1 : mark];

function markOf(style, x, y) {
  const full = style.mark > 3 && !isHollow(style.mark);
  return `<path d="${shapeOf(style.mark)(x, y)}" stroke="${style.colour}" stroke-width="1.4" fill="${full ? style.colour : "none"}"/>`;
}

/* --- one picture --- */

const lineOf = (d, style, width) => `<path class="curve" d="${d}" stroke="${style.colour}" stroke-width="${width}"` +
  `${style.dash.length > 0 ? ` stroke-dasharray="${style.dash.join(" ")}"` : ""}/>`;

const onAxis = (axis, value) => (axis.log ? partOf(value, [Math.log10(axis.low), Math.log10(axis.high)])
  : (value - axis.low) / (axis.high - axis.low));

function ticksOf(axis) {
  if (!axis.log) {
    return ticks(axis.low, axis.high).map((v) => [onAxis(axis, v), minus(v)]);
  }
  const range = [Math.log10(axis.low), Math.log10(axis.high)];
  if (range[1] - range[0] < 0.8) {
    return ticks(axis.low, axis.high).map((v) => [onAxis(axis, v), spoken(v)]);
  }
  const every = Math.ceil((range[1] - range[0]) / 8);
  const factors = range[1] - range[0] < 1.2 ? [1, 2, 5] : [1];
  return logTicks(range, factors, (v, d) => (factors.length > 1 ? spoken(v) : d % every === 0 ? `10${raised(d)}` : ""));
}

const within = (part) => Math.min(Math.max(part, -9), 10);

/* A curve may break where a value is not finite; far outside it is cut off. */
function pathOf(f, spec, { xs, ys }) {
  const parts = [];
  let begun = false;
  for (let i = 0; i < xs.length; i++) {
    const [px, py] = [onAxis(spec.x, xs[i]), onAxis(spec.y, ys[i])];
    if (Number.isFinite(px) && Number.isFinite(py)) {
      parts.push(begun ? "L" : "M", f.x(within(px)), " ", f.y(within(py)));
    }
    begun = Number.isFinite(px) && Number.isFinite(py);
  }
  return parts.join("");
}

/* The names of curves, in as many lines as they need. @return [text, lines] */
function keyOf(entries, left, right, y) {
  let [x, line, text] = [left, 0, ""];
  for (const { name, style, width, mark } of entries) {
    const wide = 46 + 7.6 * name.length;
    if (x > left && x + wide > right) {
      [x, line] = [left, line + 1];
    }
    const py = y + 18 * line;
    text += (width ? lineOf(`M${x} ${py}H${x + 28}`, style, width) : "") + (mark ? markOf(style, x + 14, py) : "") +
      words(x + 34, py + 4, "start", escaped(name));
    x += wide;
  }
  return [text, line + 1];
}

/* @param spec  {title, x, y: {label, unit, low, high, log}, key, curves: [{xs, ys, style, width}], points: [{x, y, style, ring}]} */
function drawPicture(figure, spec) {
  const svg = figure.querySelector("svg");
  const width = Math.max(figure.clientWidth, 280);
  const [key, lines] = keyOf(spec.key, margin.left, width, 34);
  const top = 52 + 18 * lines;
  const height = top + margin.bottom + Math.min(330, Math.max(210, 0.48 * width));
  const f = frameOf(width, height, 0, top);
  const clip = `clip-${figure.id}`;
  const points = spec.points.filter((p) => p.y > 0 || !spec.y.log).map((p) => {
    const [x, y] = [Number(f.x(within(onAxis(spec.x, p.x)))), Number(f.y(Math.min(Math.max(onAxis(spec.y, p.y), 0), 1)))];
    return markOf(p.style, x, y) + (p.ring ? `<circle class="curve" cx="${x}" cy="${y}" r="8" stroke="${p.style.colour}" stroke-width="2.2"/>` : "");
  });
  svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
  svg.innerHTML = `<title>${escaped(spec.title)}</title><clipPath id="${clip}"><path d="${f.outline}"/></clipPath>` +
    `<text class="title" x="${margin.left}" y="15">${escaped(spec.title)}</text>${key}` +
    axesOf(f, ticksOf(spec.x), ticksOf(spec.y), escaped(inUnit(spec.x.label, spec.x.unit)), escaped(inUnit(spec.y.label, spec.y.unit))) +
    `<g clip-path="url(#${clip})">${spec.curves.map((c) => lineOf(pathOf(f, spec, c), c.style, c.width)).join("")}</g>` +
    points.join("");
}

/* --- ranges --- */

/* All values that are finite, within `most` times the spread of the first list, which is the reference. */
function rangeOf(lists, most) {
  const ends = (list) => list.reduce(([a, b], v) => (Math.abs(v) < 1e100 ? [Math.min(a, v), Math.max(b, v)] : [a, b]), [Infinity, -Infinity]);
  const [a, b] = lists.map(ends).find(([low]) => Number.isFinite(low)) || [0, 0];
  const spread = b - a || Math.abs(a) || 1;
  let [low, high] = [a, b];
  for (const [c, d] of lists.map(ends)) {
    low = Math.min(low, Math.max(c, a - most * spread));
    high = Math.max(high, Math.min(d, b + most * spread));
  }
  const edge = 0.04 * (high - low || 1);
  return { low: low - edge, high: high + edge };
}

function logRangeOf(values) {
  const good = values.filter((v) => v > 1e-30 && v < 1e30); // what exploded runs along the edge
  if (good.length === 0) {
    return { low: 1e-3, high: 1, log: true };
  }
  const [low, high] = [Math.log10(Math.min(...good)), Math.log10(Math.max(...good))];
  const edge = Math.max(0.04 * (high - low), 0.1);
  return { low: 10 ** (low - edge), high: 10 ** (high + edge), log: true };
}

/* --- the pictures of the page --- */

const exactStyle = { colour: GREY, dash: [], mark: 7 };
const styleOf = (i) => start.styles[i % start.styles.length];
const runWidth = (i, count) => 1.3 + 0.5 * (count - 1 - i);

const namedStyle = (name, i, count) => ({ name, style: i < 0 ? exactStyle : styleOf(i), width: i < 0 ? 5 : runWidth(i, count) });

/* Curves of the reference and of runs. @param which  "position", "velocity" or "phase" */
function drawMotion(figure, title, motion, which, x, y) {
  const runs = [motion.reference, ...motion.runs].map((run, i) => run && run.curves && { ...namedStyle(run.name, i - 1, motion.runs.length),
    xs: run.curves[which][0], ys: run.curves[which][1] }).filter(Boolean);
  const across = which === "phase" ? rangeOf(runs.map((run) => run.xs), 0.6) : { low: 0, high: motion.end };
  const up = rangeOf(runs.map((run) => run.ys), 0.6);
  drawPicture(figure, { title, x: { ...x, ...across }, y: { ...y, ...up }, key: runs, curves: runs, points: [] });
}

/* Errors of all runs so far with their fitted lines; a ring marks the run of the sliders. Schemes that choose their own steps are a level
 * over the step. @param by  "h" or "evals" */
function drawErrors(figure, title, series, by, x, y) {
  const points = series.flatMap((s, i) => [...s.points, ...(s.now ? [{ ...s.now, ring: true }] : [])]
    .filter((p) => p[by] > 0 && p.error > 0).map((p) => ({ x: p[by], y: p.error, style: styleOf(i), ring: p.ring })));
  const levels = series.map((s) => (by === "h" && !s.needsStep && s.now ? s.now.error : 0));
  const across = { ...x, ...logRangeOf(points.map((p) => p.x)) };
  const up = { ...y, ...logRangeOf([...points.map((p) => p.y), ...levels]) };
  const lineOver = (i, xs, at) => ({ xs, ys: xs.map(at), style: styleOf(i), width: 1.4 });
  const curves = series.flatMap((s, i) => {
    const line = s.lines[by];
    const xs = s.points.map((p) => p[by]).filter((v) => v > 0);
    if (levels[i] > 0) {
      return [lineOver(i, [across.low, across.high], () => levels[i])];
    }
    return line && line.fitted ? [lineOver(i, [Math.min(...xs), Math.max(...xs)], (v) => line.constant * v ** line.order)] : [];
  });
  const key = series.map((s, i) => ({ name: s.name, style: styleOf(i), width: 1.4, mark: true }));
  drawPicture(figure, { title, x: across, y: up, key, curves, points });
}

function drawEnergy(figure, title, energies, end) {
  const curves = energies.map((e, i) => e.t && { ...namedStyle(e.name, i, energies.length), xs: e.t, ys: e.values }).filter(Boolean);
  const y = { label: "energy E", unit: "J", ...rangeOf(curves.map((c) => c.ys), 2) };
  drawPicture(figure, { title, x: { label: "time t", unit: "s", low: 0, high: end }, y, key: curves, curves, points: [] });
}
