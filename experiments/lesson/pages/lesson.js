/* lesson.js -- the sliders, plots and questions of a lesson. Every curve and every error is looked up in the tables of the page; what
 * is computed here is where things are drawn, and the straight line through the points that the reader has dropped.
 * SPDX-License-Identifier: GPL-3.0-or-later */
"use strict";
(() => {
  const byId = (id) => document.getElementById(id);
  const lesson = JSON.parse(byId("tables").textContent);
  const sliders = lesson.sliders.map((s) => ({ ...s, values: s.values.split(";") }));
  const step = sliders.length - 1; // the last one
  const steps = sliders[step].values.map(Number);
  const changesMotion = (s) => ["parameter", "law", "end"].includes(s.role);
  const at = sliders.map((s) => s.start);
  let now = 0.4 * lesson.longest; // s, the instant that the ball shows

  /* --- tables --- */

  const digits = new Uint8Array(128);
  [..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"].forEach((c, i) => (digits[c.charCodeAt(0)] = i));
  const unit = 4095;
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

  /* The number of a run among those of its motion, and that of the motion. */
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

  function lookUp() {
    const { motion, run } = numbers(at);
    const [errors, nodes, failed] = lesson.motions[motion].runs[run];
    return { exact: unpack(lesson.motions[motion].nodes), reference: lesson.motions[motion].reference, errors, curve: unpack(nodes), failed };
  }

  /* The value of a curve at a part of time, right limit. */
  function valueAt(curve, column, t) {
    const times = curve[0];
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
    const x = curve[column];
    const width = times[high] - times[low];
    const part = width > 0 ? Math.min(Math.max((t - times[low]) / width, 0), 1) : 1;
    return x[low] + part * (x[high] - x[low]);
  }

  /* --- numbers as text --- */

  const raised = (n) => String(n).replace(/./g, (c) => (c === "-" ? "⁻" : "⁰¹²³⁴⁵⁶⁷⁸⁹"[c]));

  function spoken(x) {
    if (x === null || x === undefined) {
      return "none";
    }
    return x === 0 ? "0" : Math.abs(x) >= 1e-3 && Math.abs(x) < 1e4 ? String(Number(x.toPrecision(3))) : x.toExponential(2);
  }

  const withUnit = (value, unitText) => (unitText ? `${value} ${unitText}` : value);

  /* Round numbers inside of a range, some four of them. */
  function ticks(low, high) {
    const rough = (high - low) / 4;
    const power = 10 ** Math.floor(Math.log10(rough));
    const distance = power * [1, 2, 5, 10].find((m) => m * power >= rough);
    const list = [];
    for (let k = Math.ceil(low / distance - 1e-9); k * distance <= high * (1 + 1e-9) + 1e-12; k++) {
      list.push(Number((k * distance).toPrecision(6)));
    }
    return list;
  }

  /* --- plots over time --- */

  const margin = { left: 52, right: 14, top: 26, bottom: 40 };
  const strip = 56; // for the body

  function frameOf(width, height, right) {
    const f = { left: margin.left, right: width - margin.right - right, top: margin.top, bottom: height - margin.bottom };
    f.x = (part) => (f.left + part * (f.right - f.left)).toFixed(1);
    f.y = (part) => (f.bottom - part * (f.bottom - f.top)).toFixed(1);
    return f;
  }

  function pathOf(f, curve, column) {
    let text = "";
    for (let i = 0; i < curve[0].length; i++) {
      text += `${i ? "L" : "M"}${f.x(curve[0][i])} ${f.y(curve[column][i])}`;
    }
    return text;
  }

  function axesOf(f, panel) {
    let text = "";
    for (const t of ticks(0, lesson.longest)) {
      const x = f.x(t / lesson.longest);
      text += `<path class="grid" d="M${x} ${f.top}V${f.bottom}"/><text x="${x}" y="${f.bottom + 17}" text-anchor="middle">${t}</text>`;
    }
    for (const v of ticks(panel.low, panel.high)) {
      const y = f.y((v - panel.low) / (panel.high - panel.low));
      text += `<path class="grid" d="M${f.left} ${y}H${f.right}"/><text x="${f.left - 6}" y="${Number(y) + 4}" text-anchor="end">${String(v).replace("-", "−")}</text>`;
    }
    const title = panel.unit ? `${panel.label} [${panel.unit}]` : panel.label;
    return `${text}<path class="frame" d="M${f.left} ${f.top}H${f.right}V${f.bottom}H${f.left}Z"/>` +
      `<text x="${f.left}" y="${f.top - 9}">${title}</text><text x="${f.right}" y="${f.bottom + 34}" text-anchor="end">time t [s]</text>`;
  }

  /* The ball beside its plot, full by the run, a ring by the reference. */
  function bodyOf(f, panel, column, shown) {
    const x = f.right + strip / 2 + 6;
    const t = now / lesson.longest;
    const radius = 11;
    const floor = f.y((0 - panel.low) / (panel.high - panel.low));
    const put = (curve, name, r) => {
      const value = valueAt(curve, column, t);
      return value === null ? "" : `<circle class="${name}" cx="${x}" cy="${f.y(value) - radius}" r="${r}"/>`;
    };
    return `<path class="floor" d="M${x - 24} ${floor}H${x + 24}"/>` + put(shown.curve, "ball", radius) + put(shown.exact, "ghost", radius - 1);
  }

  /* All points that are up to the distance away from the reference at this instant: the other graph has one in every such box. */
  function boxOf(f, panel, column, shown) {
    const index = lesson.measures.findIndex((m) => m.norm === "hausdorff" && m.of[0] === panel.column[0]);
    const distance = index < 0 ? null : shown.errors[index];
    const value = valueAt(shown.exact, column, now / lesson.longest);
    if (distance === null || distance === undefined || value === null) {
      return "";
    }
    const half = [(distance / lesson.longest) * (f.right - f.left), (distance / (panel.high - panel.low)) * (f.bottom - f.top)];
    const [x, y] = [f.x(now / lesson.longest), f.y(value)];
    return `<rect class="box" x="${x - half[0]}" y="${y - half[1]}" width="${2 * half[0]}" height="${2 * half[1]}"/>`;
  }

  function drawPanel(figure, panel, index, shown) {
    const svg = figure.querySelector("svg");
    const width = Math.max(figure.clientWidth, 280);
    const height = 250;
    const f = frameOf(width, height, panel.body ? strip : 0);
    const x = f.x(now / lesson.longest);
    svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    svg.innerHTML = `<clipPath id="clip${index}"><path d="M${f.left} ${f.top}H${f.right}V${f.bottom}H${f.left}Z"/></clipPath>` +
      axesOf(f, panel) + `<path class="exact" d="${pathOf(f, shown.exact, index + 1)}"/><path class="run" d="${pathOf(f, shown.curve, index + 1)}"/>` +
      `<g clip-path="url(#clip${index})">${boxOf(f, panel, index + 1, shown)}</g><path class="now" d="M${x} ${f.top}V${f.bottom}"/>` +
      (panel.body ? bodyOf(f, panel, index + 1, shown) : "");
  }

  /* --- the plot of orders --- */

  const dropped = []; // {key, step, errors}: key says where the other sliders were

  const keyNow = () => at.slice(0, step).join(",");

  function drop(stepIndex, errors) {
    const key = keyNow();
    if (errors.length > 0 && !dropped.some((d) => d.key === key && d.step === stepIndex)) {
      dropped.push({ key, step: stepIndex, errors });
    }
  }

  const mark = [
    (x, y) => `M${x - 3.5} ${y}a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0 -7 0`,
    (x, y) => `M${x - 3.2} ${y - 3.2}h6.4v6.4h-6.4z`,
    (x, y) => `M${x} ${y - 4.2}l4.2 7.2h-8.4z`,
  ];
  const big = (x, y) => `M${x - 7} ${y}a7 7 0 1 0 14 0a7 7 0 1 0 -14 0`;

  /* The decades that all errors of the lesson lie in. */
  const decades = (() => {
    let low = Infinity;
    let high = 0;
    for (const motion of lesson.motions) {
      for (const [errors] of motion.runs) {
        for (const e of errors) {
          if (e !== null && e > 0) {
            low = Math.min(low, e);
            high = Math.max(high, e);
          }
        }
      }
    }
    return [Math.max(Math.floor(Math.log10(low)), -12), Math.ceil(Math.log10(high))];
  })();

  const logOf = (x, range) => (Math.log10(x) - range[0]) / (range[1] - range[0]);
  const stepRange = [Math.log10(Math.min(...steps)) - 0.08, Math.log10(Math.max(...steps)) + 0.08];

  function orderAxes(f) {
    let text = "";
    for (let d = decades[0]; d <= decades[1]; d++) {
      const y = f.y(logOf(10 ** d, decades));
      text += `<path class="grid" d="M${f.left} ${y}H${f.right}"/><text x="${f.left - 6}" y="${Number(y) + 4}" text-anchor="end">10${raised(d)}</text>`;
    }
    for (let d = Math.floor(stepRange[0]); d <= stepRange[1]; d++) {
      for (const m of [1, 2, 5]) {
        const part = logOf(m * 10 ** d, stepRange);
        if (part >= 0 && part <= 1) {
          text += `<path class="grid" d="M${f.x(part)} ${f.top}V${f.bottom}"/><text x="${f.x(part)}" y="${f.bottom + 17}" text-anchor="middle">${Number((m * 10 ** d).toPrecision(1))}</text>`;
        }
      }
    }
    return `${text}<path class="frame" d="M${f.left} ${f.top}H${f.right}V${f.bottom}H${f.left}Z"/>` +
      `<text x="${f.left}" y="${f.top - 9}">error</text><text x="${f.right}" y="${f.bottom + 34}" text-anchor="end">step h [s]</text>`;
  }

  /* A line of order one, to compare with. */
  function guideOf(f) {
    const x1 = stepRange[1] - 0.08;
    const x0 = Math.max(stepRange[0] + 0.08, x1 - (decades[1] - decades[0]) + 0.2);
    const y1 = decades[1] - 0.1;
    const place = (x, y) => `${f.x((x - stepRange[0]) / (stepRange[1] - stepRange[0]))} ${f.y((y - decades[0]) / (decades[1] - decades[0]))}`;
    const [tx, ty] = place((x0 + x1) / 2, y1 - (x1 - x0) / 2).split(" ");
    return `<path class="guide" d="M${place(x0, y1 - (x1 - x0))}L${place(x1, y1)}"/><text x="${tx - 8}" y="${ty - 8}" text-anchor="end">slope 1</text>`;
  }

  function pointsOf(f, index, chosen, shape) {
    let text = "";
    for (const d of chosen) {
      const e = d.errors[index];
      if (e !== null && e > 0) {
        text += shape(Number(f.x(logOf(steps[d.step], stepRange))), Number(f.y(Math.max(logOf(e, decades), 0))));
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
    const last = here.filter((d) => d.step === at[step]);
    svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    svg.innerHTML = orderAxes(f) + guideOf(f) + lesson.measures.map((m, i) =>
      `<path class="m${i} old" d="${pointsOf(f, i, others, mark[i])}"/><path class="m${i}" d="${pointsOf(f, i, here, mark[i])}"/>` +
      `<path class="m${i} last" d="${pointsOf(f, i, last, big)}"/>`).join("");
  }

  /* Least squares in the logarithms: the slope for points at five steps or more, a factor of four apart; else null. */
  function slopeOf(index) {
    const points = dropped.filter((d) => d.key === keyNow() && d.errors[index] > 0)
      .map((d) => [Math.log(steps[d.step]), Math.log(d.errors[index])]);
    const x = points.map((p) => p[0]);
    if (points.length < 5 || Math.max(...x) - Math.min(...x) < Math.log(4)) {
      return null;
    }
    const mean = (list) => list.reduce((a, b) => a + b, 0) / list.length;
    const [mx, my] = [mean(x), mean(points.map((p) => p[1]))];
    return {
      count: points.length,
      slope: points.reduce((s, p) => s + (p[0] - mx) * (p[1] - my), 0) / x.reduce((s, v) => s + (v - mx) ** 2, 0),
    };
  }

  const symbols = ["●", "■", "▲"];

  function tellSlopes() {
    byId("slopes").innerHTML = lesson.measures.map((m, i) => {
      const s = slopeOf(i);
      return `<span><span class="m${i}">${symbols[i]}</span>${s ? `slope of your ${s.count} points: ${s.slope.toFixed(2)}` : "slope: drop five points or more, a factor of four apart in h"}</span>`;
    }).join("");
  }

  /* --- all of it --- */

  function commandOf() {
    const word = (role) => sliders.map((s, i) => [s, s.values[at[i]]]).filter(([s]) => s.role === role);
    const sets = [...lesson.settings.split(";").filter((s) => s), ...word("parameter").map(([s, v]) => `${s.name}=${v}`)];
    const scheme = word("scheme").map(([, v]) => v)[0] || lesson.scheme;
    const options = word("option").map(([s, v]) => `${s.name}=${v}`).join(",");
    const end = word("end").map(([, v]) => v)[0] || lesson.longest;
    const law = word("law").map(([, v]) => ` --law ${v}`).join("");
    return `delassus run ${lesson.model}${sets.map((s) => ` --set ${s}`).join("")}${law} --scheme ${scheme}` +
      `${options ? (scheme.includes(":") ? "," : ":") + options : ""} --step ${sliders[step].values[at[step]]} --end ${end} --plot run.png`;
  }

  function tellErrors(shown) {
    byId("errors").innerHTML = shown.failed ? `<span class="no">failed: ${shown.failed.replace(/[&<]/g, " ")}</span>`
      : lesson.measures.map((m, i) =>
        `<span><span class="m${i}">${symbols[i]}</span> ${m.label}: <strong>${withUnit(spoken(shown.errors[i]), m.unit)}</strong></span>`).join("");
  }

  function drawMotion(shown) {
    document.querySelectorAll("#plots figure").forEach((figure, i) => drawPanel(figure, lesson.panels[i], i, shown));
  }

  function update() {
    const shown = lookUp();
    drop(at[step], shown.errors);
    drawMotion(shown);
    drawOrder();
    tellErrors(shown);
    tellSlopes();
    byId("command").textContent = commandOf();
    byId("reference").textContent = shown.reference;
  }

  /* --- controls --- */

  function addSlider(i) {
    const s = sliders[i];
    const label = document.createElement("label");
    label.innerHTML = `<span>${s.label}</span><output></output><input type="range" min="0" max="${s.values.length - 1}" step="1" value="${at[i]}">`;
    const [output, input] = [label.querySelector("output"), label.querySelector("input")];
    const show = () => {
      const text = withUnit(s.values[at[i]], s.unit);
      output.textContent = text;
      input.setAttribute("aria-valuetext", text);
    };
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
    box.innerHTML = '<label><span>time t</span><output></output><input type="range" min="0" max="1000" step="5"></label><button type="button">Play</button>';
    const [output, input, button] = [box.querySelector("output"), box.querySelector("input"), box.querySelector("button")];
    let started = null;
    const show = () => {
      output.textContent = `${now.toFixed(2)} s`;
      input.value = (1000 * now) / lesson.longest;
      input.setAttribute("aria-valuetext", output.textContent);
      drawMotion(lookUp());
    };
    const stop = () => {
      started = null;
      button.textContent = "Play";
    };
    const seconds = Math.min(Math.max(lesson.longest, 3), 10); // of playing
    const frame = (stamp) => {
      if (started === null) {
        return;
      }
      started = started === undefined ? stamp - (1000 * seconds * now) / lesson.longest : started;
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
      started = undefined;
      button.textContent = "Stop";
      requestAnimationFrame(frame);
    });
    byId("sliders").append(box);
    return show;
  }

  /* --- questions --- */

  function answerOf(field) {
    const chosen = field.querySelector("input[type=radio]:checked");
    const number = field.querySelector("input[type=number]");
    if (number) {
      const value = number.value.trim() === "" ? NaN : Number(number.value);
      return Number.isNaN(value) ? null : value >= Number(field.dataset.low) && value <= Number(field.dataset.high);
    }
    return chosen ? chosen.value === field.dataset.answer : null;
  }

  function addChecks() {
    document.querySelectorAll("#questions fieldset").forEach((field) => {
      const line = document.createElement("p");
      line.innerHTML = '<button type="button">Check</button><output></output>';
      const [button, output] = [line.querySelector("button"), line.querySelector("output")];
      field.querySelector(".because").before(line);
      button.addEventListener("click", () => {
        const right = answerOf(field);
        output.textContent = right === null ? "An answer is needed first." : right ? "Right." : "No: look again.";
        output.className = right ? "yes" : "no";
        field.querySelector(".because").hidden = !right;
      });
    });
  }

  byId("plots").innerHTML = lesson.panels.map((p) => `<figure><svg role="img" aria-label="${p.label} over time"></svg></figure>`).join("");
  byId("order-title").innerHTML = "The points that you have dropped: " + lesson.measures.map((m, i) => `<span class="m${i}">${symbols[i]}</span> ${m.label}`).join(", ") +
    ". Faint: other positions of the other sliders. In the plots above, grey is the true motion, the thin line the run" +
    (lesson.measures.some((m) => m.norm === "hausdorff") ? "; the box around the true graph is as large as the distance of the graphs, and the run passes through it at every instant." : ".");
  sliders.forEach((s, i) => addSlider((i + step) % sliders.length));
  const showTime = addTime();
  addChecks();
  byId("all").addEventListener("click", () => {
    const { motion, run } = numbers(at);
    const first = run - at[step];
    steps.forEach((h, i) => drop(i, lesson.motions[motion].runs[first + i][0]));
    update();
  });
  byId("clear").addEventListener("click", () => {
    dropped.length = 0;
    update();
  });
  window.addEventListener("resize", update);
  update();
  showTime();
})();
