/* The scripts of the playground without a browser: node playground_scripts.js PAGE.html. The page has no library.
 * SPDX-License-Identifier: GPL-3.0-or-later */
"use strict";

const assert = require("assert");
const fs = require("fs");
const vm = require("vm");

const page = fs.readFileSync(process.argv[2], "utf8");
const elements = {};
for (const [, id, text] of page.matchAll(/<script type="[^"]*" id="([^"]*)">([^]*?)<\/script>/g)) {
  elements[id] = { textContent: text };
}
const document = { getElementById: (id) => (elements[id] = elements[id] || {}) };
const context = vm.createContext({ document, atob, Blob, URL, URLSearchParams, DecompressionStream, WebAssembly, Response, setTimeout, window: {},
  location: { hash: "" } });
vm.runInContext(page.match(/<script>\n([^]*?)<\/script>/)[1], context);
const the = (expression) => vm.runInContext(expression, context);
const call = (name, ...given) => the(name)(...given);
const plain = (value) => JSON.parse(JSON.stringify(value));

/* Numbers in [0, 1) from a fixed seed. */
let seed = 12345;
const random = () => (seed = (seed * 1103515245 + 12345) % 2 ** 31) / 2 ** 31;
const pick = (list) => list[Math.floor(random() * list.length)];

/* --- the link holds the state --- */

const odd = ["a", "1e-3", "x y", "50%", "a&b=c", "#", "é−", "line\n  - {b: [1, 2]}\n", "+", "\"<'"];
for (let i = 0; i < 200; i++) {
  const state = the("state");
  Object.assign(state, { model: pick(odd), h: pick(odd), tol: pick(odd), end: pick(odd), norm: pick(odd), of: pick(odd), shown: pick(odd), yaml: pick(odd) });
  state.set = Object.fromEntries(["m", "e", "law"].filter(() => random() < 0.5).map((name) => [name, pick(odd)]));
  state.schemes = Array.from({ length: 1 + (i % 4) }, () => ({ name: pick(["moreau-jean", "sap"]), options: random() < 0.5 ? { theta: "1", gamma: "0.5" } : {} }));
  const before = plain(state);
  const link = call("linkOfState");
  Object.assign(state, { model: "", h: "", tol: "", end: "", norm: "", of: "", shown: "", yaml: "", set: { z: "1" }, schemes: [] });
  call("takeLink", link);
  assert.deepStrictEqual(plain(state), before);
}

/* --- what a link does not say is as the command line said; a link with a model says everything --- */

Object.assign(the("start"), { model: "belt", h: "0.1", set: ["vb=2"], scheme: ["sap"] });
const opened = (link) => {
  call("takeLink", link);
  const { model, set, h, schemes, yaml } = plain(the("state"));
  return [model, set, h, schemes.map(({ name }) => name), yaml];
};
assert.deepStrictEqual(opened(""), ["belt", { vb: "2" }, "0.1", ["sap"], ""]);
assert.deepStrictEqual(opened("#model=own&yaml=a&set=e=1"), ["own", { e: "1" }, "", [], "a"]);
assert.deepStrictEqual(opened("#h=0.2&set=vb=3"), ["belt", { vb: "3" }, "0.2", ["sap"], ""]);

/* --- values --- */

const option = { name: "e", min: 0, max: 1, openMin: true, initial: 0.5, help: "", unit: "1" };
assert.match(call("faultOf", "0", option), /^e = 0 is outside \]0, 1\]$/);
assert.match(call("faultOf", "1.5", { ...option, max: Infinity, min: 2 }), /is outside \]2, ∞\]$/);
assert.match(call("faultOf", "", option), /must be a number/);
assert.match(call("faultOf", "0.1s", option), /must be a number/);
assert.match(call("faultOf", "0.5", { ...option, integer: true }), /must be an integer/);
assert.strictEqual(call("faultOf", "1", option), "");
for (let i = 0; i < 500; i++) {
  const min = pick([-Infinity, -2, 0, 1]);
  const max = pick([Infinity, 3, 1e5]);
  const initial = Math.min(Math.max(4 * random() - 2, min), max);
  const [low, high] = call("reachOf", { ...option, min, max, initial, integer: random() < 0.3 });
  assert(low >= min && high <= max && low < high && low <= initial && initial <= high, `reach ${low} ${high} of ${min} ${initial} ${max}`);
}

/* --- pictures: nothing is drawn at a place that is no number --- */

function drawn(draw) {
  const svg = { setAttribute() {}, innerHTML: "" };
  draw({ id: "f", clientWidth: 300 + 400 * random(), querySelector: () => svg });
  assert.doesNotMatch(svg.innerHTML, /NaN|Infinity|undefined|null/);
  for (const [, y] of svg.innerHTML.matchAll(/[ML]-?[\d.]+ (-?[\d.]+)/g)) {
    assert(Math.abs(Number(y)) < 2e4, `y = ${y}`);
  }
  return svg.innerHTML;
}

const wild = () => pick([random(), -random(), NaN, Infinity, -Infinity, 1e300, 0]);
for (let i = 0; i < 300; i++) {
  const curve = (make) => [Float64Array.from({ length: 30 }, (_, k) => k / 29), Float64Array.from({ length: 30 }, make)];
  const curves = (make) => ({ position: curve(make), velocity: curve(make), phase: [curve(make)[1], curve(make)[1]] });
  const motion = { end: 1, reference: i % 3 ? { name: "exact", curves: curves(random) } : null,
    runs: [{ name: "a", curves: curves(wild) }, { name: "b", fault: "no" }, { name: "c", curves: curves(i % 5 ? random : () => 0) }] };
  for (const which of ["position", "velocity", "phase"]) {
    drawn((figure) => call("drawMotion", figure, "a < b", motion, which, { label: "t", unit: "s" }, { label: "q0", unit: "m" }));
  }
  const points = Array.from({ length: i % 4 }, () => ({ h: random(), evals: wild(), error: wild() }));
  const series = [{ name: "a", needsStep: true, points, now: { h: 0.1, evals: 10, error: wild() }, lines: { h: { fitted: true, order: 1, constant: 2 }, evals: null } },
    { name: "b", needsStep: false, points: [], now: { h: NaN, evals: 5, error: 1e-9 }, lines: {} }];
  for (const by of ["h", "evals"]) {
    drawn((figure) => call("drawErrors", figure, "errors", series, by, { label: "h", unit: "s" }, { label: "error", unit: "" }));
  }
}
assert.doesNotMatch(drawn((figure) => call("drawErrors", figure, "<i>", [], "h", { label: "<b>", unit: "<u>" }, { label: "<s>", unit: "" })), /<[ibus]>/);
const marks = the("start.styles").map((style) => call("markOf", style, 0, 0));
assert.strictEqual(new Set(marks).size, 12);

/* --- tables as files --- */

assert.strictEqual(call("csvOf", [["a", "b,c"], ["say \"x\"", 1e-7]]), "a,\"b,c\"\n\"say \"\"x\"\"\",1e-7\n");

/* --- bytes as text --- */

const digits = the("fromBase91").toString().match(/const digits = (".*");/)[1];
function base91(bytes) {
  const list = JSON.parse(digits);
  let [text, bits, count] = ["", 0, 0];
  for (const byte of bytes) {
    bits |= byte << count;
    count += 8;
    if (count > 13) {
      const taken = (bits & 8191) > 88 ? 13 : 14;
      const value = bits & (2 ** taken - 1);
      text += list[value % 91] + list[Math.floor(value / 91)];
      bits >>>= taken;
      count -= taken;
    }
  }
  return text + (count > 0 ? list[bits % 91] : "") + (count > 7 || bits >= 91 ? list[Math.floor(bits / 91)] : "");
}
for (let size = 0; size < 400; size++) {
  const bytes = Uint8Array.from({ length: size }, () => Math.floor(256 * random() ** (1 + (size % 3))));
  assert.deepStrictEqual([...call("fromBase91", base91(bytes))], [...bytes]);
}

/* --- the library is not there, which is said --- */

const until = Date.now() + 30000;
(function look() {
  if (!elements.status && Date.now() < until) {
    setTimeout(look, 20);
    return;
  }
  assert.match(elements.status.textContent, /^The library does not start: .*needs a browser with WebAssembly/);
  console.log("all checks passed");
})();
