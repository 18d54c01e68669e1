/* controls.js -- sliders with fields that build themselves from a table of options.
 * SPDX-License-Identifier: GPL-3.0-or-later */
"use strict";

const POSITIONS = 240; // of a slider
const rounded = (x, digits) => String(Number(x.toPrecision(digits)));

const escaped = (text) => String(text).replace(/[&<>"]/g, (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;" })[c]);

/* Where a slider goes: between the ends of the range where they are finite, else around the default. */
function reachOf(option) {
  const { initial, min, max } = option;
  const size = Math.abs(initial) || 1;
  const far = initial >= 0 && min >= 0 ? 4 * size : 3 * size;
  const low = Number.isFinite(min) && min > -1e6 ? min : -far;
  const high = Number.isFinite(max) && max < 1e6 ? max : Math.max(far, low + far);
  return option.integer ? [Math.max(low, Math.min(initial, 1)), Math.min(high, Math.max(20, 4 * initial))] : [low, high];
}

/* Why a text is not a value of an option; "" if it is one. */
function faultOf(text, option) {
  const value = text.trim() === "" ? NaN : Number(text);
  const below = option.openMin ? !(value > option.min) : !(value >= option.min);
  const above = option.openMax ? !(value < option.max) : !(value <= option.max);
  if (Number.isNaN(value)) {
    return `${option.name} must be a number`;
  }
  if (option.integer && !Number.isInteger(value)) {
    return `${option.name} must be an integer`;
  }
  const range = `${option.openMin ? "]" : "["}${option.min}, ${option.max}${option.openMax ? "[" : "]"}`;
  return below || above ? `${option.name} = ${text} is outside ${range}`.replaceAll("Infinity", "∞") : "";
}

/* A name and the first words of its meaning. */
const labelOf = ({ label, name, help }) => (label ? escaped(label) : `<b>${escaped(name)}</b> <small>${escaped(help.split(/[;:(]/)[0].trim())}</small>`);

/* A slider with a field for any value. @param changed  called with the text of a value that is allowed */
function numberControl(option, text, changed) {
  const box = document.createElement("label");
  let [low, high] = option.reach || reachOf(option);
  const toValue = (p) => (option.log ? low * (high / low) ** p : low + p * (high - low));
  const toPart = (x) => (option.log ? Math.log(x / low) / Math.log(high / low) : (x - low) / (high - low));
  box.className = "number";
  box.title = option.help;
  box.innerHTML = `<span>${labelOf(option)}</span><input type="text" inputmode="decimal">` +
    `<span class="unit">${escaped(option.unit === "1" ? "" : option.unit)}</span>` +
    `<input type="range" min="0" max="${POSITIONS}" step="1" aria-label="${escaped(option.help || option.name)}">`;
  const [field, slider] = box.querySelectorAll("input");
  field.dataset.name = option.name;
  slider.dataset.name = option.name;

  function show(value) {
    const x = Number(value);
    [low, high] = [Math.min(low, x), Math.max(high, x)];
    slider.value = Math.round(toPart(x) * POSITIONS);
    slider.setAttribute("aria-valuetext", `${value} ${option.unit === "1" ? "" : option.unit}`.trim());
    field.value = value;
  }

  slider.addEventListener("input", () => {
    const x = toValue(Number(slider.value) / POSITIONS);
    const near = Math.abs(x) < 1e-9 * (high - low) ? 0 : x;
    let value = option.integer ? String(Math.round(near)) : rounded(near, 3);
    if (faultOf(value, option)) { // an end that is excluded
      value = rounded(toValue((Number(slider.value) + (slider.value === "0" ? 0.5 : -0.5)) / POSITIONS), 3);
    }
    field.value = value;
    field.setCustomValidity("");
    slider.setAttribute("aria-valuetext", `${value} ${option.unit === "1" ? "" : option.unit}`.trim());
    changed(value);
  });
  field.addEventListener("change", () => {
    const fault = faultOf(field.value, option);
    field.setCustomValidity(fault);
    if (fault) {
      field.reportValidity();
      return;
    }
    show(field.value.trim());
    changed(field.value.trim());
  });
  show(text);
  return box;
}

function choiceControl(option, text, changed) {
  const box = document.createElement("label");
  box.className = "wide";
  box.title = option.help;
  box.innerHTML = `<span>${labelOf(option)}</span><select data-name="${escaped(option.name)}"></select>`;
  const select = box.querySelector("select");
  fillSelect(select, option.choices.map((name) => ({ name })), text);
  select.addEventListener("change", () => changed(select.value));
  return box;
}

/* A control for each option of a table. @param values  name -> text; what is equal to the default is taken out of it */
function fillControls(box, options, values, changed) {
  box.replaceChildren(...options.map((option) => {
    const initial = option.choices ? option.choices[option.initial] : rounded(option.initial, 15);
    const control = option.choices ? choiceControl : numberControl;
    return control(option, values[option.name] ?? initial, (text) => {
      if (text === initial) {
        delete values[option.name];
      } else {
        values[option.name] = text;
      }
      changed();
    });
  }));
}

/* @param items  [{name, label, group, title, disabled}] */
function fillSelect(select, items, value) {
  const groups = [...new Set(items.map((item) => item.group || ""))];
  const line = (item) => `<option value="${escaped(item.name)}"${item.disabled ? " disabled" : ""} title="${escaped(item.title || "")}">` +
    `${escaped(item.label || item.name)}</option>`;
  select.innerHTML = groups.map((group) => {
    const lines = items.filter((item) => (item.group || "") === group).map(line).join("");
    return group ? `<optgroup label="${escaped(group)}">${lines}</optgroup>` : lines;
  }).join("");
  select.value = value;
}
