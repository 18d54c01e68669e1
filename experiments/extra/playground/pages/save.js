/* save.js -- files to keep: a picture as SVG, tables as CSV.
 * SPDX-License-Identifier: GPL-3.0-or-later */
"use strict";

function saveText(name, type, text) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

/* Not every page may write to the clipboard. */
async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    failed(Error(`The browser does not let this page copy. Mark the text and copy it by hand: ${text}`));
  }
}

/* The picture, whole by itself: with its style and a white ground. */
function pictureText(svg) {
  const copy = svg.cloneNode(true);
  const [, , width, height] = svg.getAttribute("viewBox").split(" ");
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  copy.setAttribute("width", width);
  copy.setAttribute("height", height);
  copy.insertAdjacentHTML("afterbegin", `<style>${PICTURE_STYLE}</style><rect width="100%" height="100%" fill="#fff"/>`);
  return new XMLSerializer().serializeToString(copy);
}

const csvOf = (rows) => rows.map((row) => row.map((v) => (/[",\n]/.test(v) ? `"${String(v).replaceAll("\"", "\"\"")}"` : v)).join(",")).join("\n") + "\n";

function errorsCsv(series) {
  const digits = (x) => x ?? "nan";
  const rows = series.flatMap((s) => s.points.map((p) => [s.name, state.norm, state.of, s.needsStep ? p.h : "nan", s.hasTol ? p.tol : "nan",
    digits(p.error), p.steps, p.evals]));
  return csvOf([["scheme", "norm", "of", "h", "tol", "error", "steps", "evals"], ...rows]);
}
