/* svg.js -- numbers as text, and pieces of pictures: for the scripts of lessons and of the playground.
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

/* The frame of a plot, in pixels, and what turns parts of its sides into them. */
function frameOf(width, height, right, top = margin.top) {
  const f = { left: margin.left, right: width - margin.right - right };
  Object.assign(f, { top, bottom: height - margin.bottom });
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

/* Where a number stands on an axis, in [0, 1]; a range is in logarithms to base 10 unless the axis is plain. */
const raw = (x, isPlain) => (isPlain ? x : Math.log10(x));
const partOf = (x, range, isPlain) => (raw(x, isPlain) - range[0]) / (range[1] - range[0]);

function logTicks(range, factors, text) {
  const list = [];
  for (let d = Math.floor(range[0]); d <= range[1]; d++) {
    list.push(...factors.map((m) => [partOf(m * 10 ** d, range), text(m * 10 ** d, d)]));
  }
  return list.filter(([part]) => part > -1e-9 && part < 1 + 1e-9);
}
