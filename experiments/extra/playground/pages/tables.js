/* tables.js -- errors, fitted orders and events as tables.
 * SPDX-License-Identifier: GPL-3.0-or-later */
"use strict";

const MOST_EVENTS = 200; // in the table

const shownValue = (value) => (Number.isFinite(value) ? minus(spoken(value)) : "–");
const cellOf = (value) => (typeof value === "number" ? `<td class="n">${shownValue(value)}</td>` : `<td>${escaped(value)}</td>`);
const rowOf = (cells) => `<tr>${cells.join("")}</tr>`;
const swatchOf = (i) => `<svg class="swatch" viewBox="0 0 40 13" aria-hidden="true">${lineOf("M2 6.5H38", styleOf(i), 2.4)}${markOf(styleOf(i), 20, 6.5)}</svg>`;

function fillTable(table, heads, rows) {
  table.tHead.innerHTML = rowOf(heads.map((head) => `<th scope="col">${escaped(head)}</th>`));
  table.tBodies[0].innerHTML = rows.join("");
}

/* The error of each scheme, with all digits in data-error. */
function tellErrors(motion) {
  const table = byId("errors");
  table.caption.textContent = motion.reference ? `Error of ${state.of} from the ${motion.reference.name}, norm ${state.norm}` : "There is no reference.";
  fillTable(table, ["", "scheme", inUnit("error", motion.unit), "steps", "evaluations"], motion.runs.map((run, i) => rowOf([
    `<td>${swatchOf(i)}</td>`, cellOf(run.name),
    run.fault ? `<td class="no" colspan="3">${escaped(run.fault)}</td>`
      : `<td class="n" data-error="${run.error}" data-scheme="${escaped(run.name)}">${shownValue(run.error)}</td>${cellOf(run.steps)}${cellOf(run.evals)}`,
  ])));
}

/* Order, interval and remark, as `order` prints them. */
function saidOrder(line) {
  if (line.fault !== undefined) {
    return ["–", "–", line.fault];
  }
  const print = (x) => minus(x.toFixed(line.decimals));
  return line.fitted ? [print(line.order), `[${print(line.low)}, ${print(line.high)}]`, line.words] : ["–", "–", line.words];
}

function tellOrders(series) {
  const rows = series.flatMap((s, i) => [["h", "step"], ["evals", "evaluations"]].filter(([by]) => s.lines[by]).map(([by, over]) => rowOf([
    `<td>${swatchOf(i)}</td>`, cellOf(s.name), cellOf(over), ...saidOrder(s.lines[by]).map(cellOf),
  ])));
  fillTable(byId("orders"), ["", "scheme", "over", "order", "95 % interval", ""], rows);
}

function tellEvents(events) {
  const columns = [["t", "t [s]"], ["kind", "event"], ["contact", "contact"], ["u_minus", "u₋ [m/s]"], ["u_plus", "u₊ [m/s]"], ["impulse", "impulse [N s]"]];
  const rows = events.slice(0, MOST_EVENTS).map((event) => rowOf(columns.map(([name]) => cellOf(event[name]))));
  const left = events.length - rows.length;
  const last = left > 0 ? [`<tr><td colspan="6">${left} more</td></tr>`] : rows.length === 0 ? ["<tr><td colspan=\"6\">none</td></tr>"] : [];
  fillTable(byId("events"), columns.map(([, head]) => head), [...rows, ...last]);
}
