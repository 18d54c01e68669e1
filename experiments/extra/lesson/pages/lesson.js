/* lesson.js -- sliders, questions, and what follows them. Every curve and every error is looked up in the tables
 * of the page; what is computed is where things are drawn, and the line through the points that the reader has dropped.
 * SPDX-License-Identifier: GPL-3.0-or-later */
"use strict";

/* --- what is said --- */

const symbols = ["●", "■", "▲"];
const symbolOf = (i) => `<span class="m${i}">${symbols[i]}</span>`;

function tellErrors(shown) {
  byId("errors").innerHTML = shown.failed
    ? `<span class="no">failed: ${shown.failed.replace(/[&<]/g, " ")}</span>`
    : lesson.measures.map((m, i) => {
      const value = withUnit(spoken(shown.errors[i]), m.unit);
      return `<span>${symbolOf(i)} ${m.label}: <strong>${value}</strong></span>`;
    }).join("");
}

function tellSlopes() {
  if (plain) {
    return;
  }
  byId("slopes").innerHTML = lesson.measures.map((m, i) => {
    const s = slopeOf(i);
    const number = s && minus(s.slope.toFixed(2).replace("-0.00", "0.00"));
    const text = !s ? "slope: needs five points, a factor of four apart in h"
      : s.reason ? `no slope: ${s.reason}` : `slope of your ${s.count} points: ${number}`;
    return `<span>${symbolOf(i)}${text}</span>`;
  }).join("");
}

function tellLegend() {
  const names = measured.map((m, i) => `${symbolOf(i)} ${m.label}`).join(", ");
  const box = lesson.measures.some((m) => m.norm === "hausdorff")
    ? "; the box around the true graph is as large as the distance of the graphs, and the run passes through it " +
      "at every instant"
    : "";
  byId("order-title").innerHTML = `The points of the values that you visited: ${names}. Faint: other positions of the other ` +
    `sliders. In the plots above, grey is the true motion, the thin line the run${box}.`;
}

function update() {
  const shown = lookUp();
  drop(at[sweep], shown.errors);
  drawMotion(shown);
  drawOrder();
  tellErrors(shown);
  tellSlopes();
  byId("command").textContent = commandOf();
  byId("reference").textContent = shown.reference;
}

/* --- sliders --- */

const range = (last, by, value) => `<input type="range" min="0" max="${last}" step="${by}" value="${value}">`;
const partsOf = (box) => ["output", "input", "button"].map((name) => box.querySelector(name));

function say(output, input, text) {
  output.textContent = text;
  input.setAttribute("aria-valuetext", text);
}

function addSlider(i) {
  const s = sliders[i];
  const label = document.createElement("label");
  label.innerHTML = `<span>${s.label}</span><output></output>${range(s.values.length - 1, 1, at[i])}`;
  const [output, input] = partsOf(label);
  const show = () => say(output, input, withUnit(s.values[at[i]], s.unit));
  input.addEventListener("input", () => {
    at[i] = Number(input.value);
    show();
    update();
  });
  show();
  byId("sliders").append(label);
}

function addTime() {
  const box = document.createElement("div");
  box.className = "time";
  box.innerHTML = `<label><span>time t</span><output></output>${range(1000, 5, 0)}</label>` +
    '<button type="button">Play</button>';
  const [output, input, button] = partsOf(box);
  const seconds = Math.min(Math.max(lesson.longest, 3), 10); // of playing
  let started = null; // when t = 0 was shown, or would have been, in ms; null while nothing plays
  const show = () => {
    input.value = (1000 * now) / lesson.longest;
    say(output, input, `${Number(now.toPrecision(3))} s`);
    drawMotion(lookUp());
  };
  const stop = () => {
    started = null;
    button.textContent = "Play";
  };
  const frame = (stamp) => {
    if (started === null) {
      return;
    }
    now = Math.min(((stamp - started) / 1000 / seconds) * lesson.longest, lesson.longest);
    show();
    if (now >= lesson.longest) {
      stop();
    } else {
      requestAnimationFrame(frame);
    }
  };
  input.addEventListener("input", () => {
    stop();
    now = (Number(input.value) / 1000) * lesson.longest;
    show();
  });
  button.addEventListener("click", () => {
    if (started !== null) {
      stop();
      return;
    }
    now = now >= lesson.longest ? 0 : now;
    button.textContent = "Stop";
    requestAnimationFrame((stamp) => {
      started = stamp - (1000 * seconds * now) / lesson.longest;
      frame(stamp);
    });
  });
  byId("sliders").append(box);
  return show;
}

/* --- questions --- */

/* Whether the answer is right; null if there is none. */
function isRight(field) {
  const chosen = field.querySelector("input[type=radio]:checked");
  const number = field.querySelector("input[type=number]");
  if (number) {
    const value = number.value.trim() === "" ? NaN : Number(number.value);
    return Number.isNaN(value) ? null : value >= Number(field.dataset.low) && value <= Number(field.dataset.high);
  }
  return chosen ? chosen.value === field.dataset.answer : null;
}

function addCheck(field) {
  const line = document.createElement("p");
  const why = field.querySelector(".because");
  line.innerHTML = '<button type="button">Check</button><output></output>';
  const [output, , button] = partsOf(line);
  button.addEventListener("click", () => {
    const right = isRight(field);
    const answers = new Map([[null, "An answer is needed first."], [true, "Right."], [false, "No: look again."]]);
    output.textContent = answers.get(right);
    output.className = right ? "yes" : "no";
    why.hidden = !right;
  });
  why.before(line);
}

/* --- the page --- */

byId("plots").innerHTML = lesson.panels
  .map((p) => `<figure><svg role="img" aria-label="${p.label} over time"></svg></figure>`).join("");
tellLegend();
sliders.forEach((s, i) => addSlider((i + sweep) % sliders.length));
const showTime = addTime();
document.querySelectorAll("#questions fieldset").forEach(addCheck);
byId("all").addEventListener("click", () => {
  swept.forEach((_, i) => drop(i, runAt([...at.slice(0, sweep), i])[0]));
  update();
});
byId("clear").addEventListener("click", () => {
  dropped.length = 0;
  update();
});
window.addEventListener("resize", update);
update();
showTime();
