/* choices.js -- the controls of the page: model, parameters, schemes, step, error; and texts of one's own.
 * SPDX-License-Identifier: GPL-3.0-or-later */
"use strict";

const PREFERRED = ["moreau-jean", "schatzman-paoli", "event-driven"]; // of a model that nothing was said about
const OWN_MODELS = { mechanism: "own-mechanism", matrices: "own-matrices" }; // models of the text
const isMatrices = (text) => /^%%MatrixMarket/im.test(text);
const ownModelOf = (text) => OWN_MODELS[isMatrices(text) ? "matrices" : "mechanism"];
const YAML_EXAMPLE = `gravity: [0, 0, -9.81]
bodies:
  - name: gate
    mass: 12
    inertia: [0.65, 1.64, 1.01]
    at: [0.5, 0, 0]
    points: {hinge: [-0.5, 0, 0], edge: [0.5, 0, 0]}
joints:
  - {name: hinge, type: revolute, a: ground, b: gate.hinge, axis: [0, 0.342020143, 0.939692621]}
contacts:
  - {name: stop, corner: gate.edge, plane: [1, 0, 0, -0.5], e: 0.6}
`;

const MATRICES_EXAMPLE = `M
%%MatrixMarket matrix coordinate real symmetric
2 2 2
1 1 1
2 2 1
K
%%MatrixMarket matrix coordinate real symmetric
2 2 3
1 1 40
2 1 -40
2 2 40
HT
%%MatrixMarket matrix coordinate real general
1 2 1
1 1 1
q0
%%MatrixMarket matrix array real general
2 1
0.5
0.7
v0
%%MatrixMarket matrix array real general
2 1
-1
-1
`;
/* What the models that are made from files show first. */
const EXAMPLES = { multibody: YAML_EXAMPLE, "matrix-model": MATRICES_EXAMPLE };

function fillNumbers() {
  const end = Number(state.end);
  const positive = { min: 0, max: Infinity, openMin: true, initial: end };
  const options = [
    { ...positive, name: "h", label: "time step h", unit: "s", help: "step of the schemes that need one", max: end, log: true,
      reach: [Number(rounded(end / 20000, 1)), Number(rounded(end / 10, 2))] },
    { ...positive, name: "tol", label: "tolerance tol", unit: "1", help: "tolerance of the schemes that choose their own steps", max: 1, log: true,
      reach: [1e-12, 1e-2] },
    { ...positive, name: "end", label: "end of the simulation", unit: "s", help: "the simulation ends at this time",
      reach: [Number(rounded(end / 20, 1)), 3 * end] },
  ];
  byId("numbers").replaceChildren(...options.map((option) => numberControl(option, state[option.name], (text) => {
    state[option.name] = text;
    update();
  })));
}

function schemeBox(scheme, i) {
  const { reasons } = page.model;
  const items = page.entries.schemes.map(({ name, summary }) => ({ name, title: reasons[name] || summary, disabled: reasons[name] !== "" }));
  const box = document.createElement("div");
  const { options } = schemeEntry(scheme.name);
  box.className = "scheme";
  box.style.setProperty("--style", styleOf(i).colour);
  box.innerHTML = `<div class="head"><select aria-label="scheme ${i + 1}"></select><button type="button" aria-label="Remove scheme ${i + 1}">×</button></div>` +
    `<details${Object.keys(scheme.options).length > 0 ? " open" : ""}${options.length === 0 ? " hidden" : ""}><summary>options</summary><div></div></details>`;
  const [select, remove] = [box.querySelector("select"), box.querySelector("button")];
  fillSelect(select, items, scheme.name);
  fillControls(box.querySelector("details div"), options, scheme.options, update);
  select.addEventListener("change", () => {
    state.schemes[i] = { name: select.value, options: {} };
    fillSchemes();
    update();
  });
  remove.disabled = state.schemes.length === 1;
  remove.addEventListener("click", () => {
    state.schemes.splice(i, 1);
    fillSchemes();
    update();
  });
  return box;
}

function fillSchemes() {
  byId("schemes").replaceChildren(...state.schemes.map(schemeBox));
  byId("add").disabled = state.schemes.length >= MOST_SCHEMES;
}

function addScheme() {
  const used = state.schemes.map((scheme) => scheme.name);
  const free = page.entries.schemes.filter(({ name }) => page.model.reasons[name] === "");
  state.schemes.push({ name: (free.find(({ name }) => !used.includes(name)) || free[0]).name, options: {} });
  fillSchemes();
  update();
}

function fillModels() {
  const own = state.yaml ? [{ name: ownModelOf(state.yaml), summary: "the model of the text below", own: true }] : [];
  const groupOf = (m) => (m.own ? "of your own" : m.exact ? "with exact solution" : "others");
  const items = [...own, ...page.entries.models].map((m) => ({ name: m.name, title: m.summary, group: groupOf(m) }));
  fillSelect(byId("model"), [...items.filter((i) => i.group !== "others"), ...items.filter((i) => i.group === "others")], state.model);
}

/* Why a scheme is left out, or "". With other options than the default ones it may treat the model: its run says. */
function whyNot({ name, options }, reasons) {
  if (!Object.hasOwn(reasons, name)) {
    return "there is no such scheme";
  }
  return Object.keys(options).length > 0 ? "" : reasons[name];
}

/* Why the state cannot be shown as it is, in words for the reader. */
function notesOf(reasons, quantities, norms) {
  return [
    ...state.schemes.map((scheme) => [scheme.name, whyNot(scheme, reasons)]).filter(([, why]) => why !== "")
      .map(([name, why]) => `Scheme ${name} is left out: ${why}`),
    ...(state.of === "" || quantities.includes(state.of) ? [] : [`There is no quantity ${state.of}: the error of q is shown.`]),
    ...(norms.includes(state.norm.split(":")[0]) ? [] : [`There is no norm ${state.norm}: hausdorff is used.`]),
  ];
}

/* Everything that depends on the model. What the state says of schemes, quantities and norms that do not suit it is dropped, with a note. */
async function takeModel() {
  page.model = await ask(page.motionWorker, "model", { model: state.model, set: wordsOf(state.set), ...askedText() });
  const { coordinates, parameters, reasons, summary, time } = page.model;
  const suits = (name) => reasons[name] === "";
  byId("summary").textContent = summary;
  state.end = state.end || rounded(4 * time, 2);
  state.h = state.h || rounded(Number(state.end) / 200, 1);
  const quantities = ["q", "v", "impulse", ...coordinates.map((_, i) => `q${i}`), ...coordinates.map((_, i) => `v${i}`)];
  const norms = page.entries.norms.map(({ name, summary: title }) => ({ name, title }));
  const known = norms.map(({ name }) => name);
  page.notes = notesOf(reasons, quantities, known);
  state.schemes = state.schemes.filter((scheme) => whyNot(scheme, reasons) === "");
  if (state.schemes.length === 0) {
    state.schemes = PREFERRED.filter(suits).map((name) => ({ name, options: {} }));
  }
  state.of = quantities.includes(state.of) ? state.of : "q";
  state.norm = known.includes(state.norm.split(":")[0]) ? state.norm : "hausdorff";
  state.shown = coordinates.some((_, i) => String(i) === state.shown) ? state.shown : "0";
  fillModels();
  fillSelect(byId("norm"), known.includes(state.norm) ? norms : [...norms, { name: state.norm }], state.norm);
  fillSelect(byId("of"), quantities.map((name) => ({ name })), state.of);
  fillSelect(byId("shown"), coordinates.map(({ words }, i) => ({ name: String(i), label: `q${i}: ${words}` })), state.shown);
  fillControls(byId("parameters"), parameters, state.set, update);
  fillNumbers();
  fillSchemes();
}

/* On failure the model before stays. */
async function chooseModel(name, yaml) {
  const before = { ...state };
  Object.assign(state, { model: name, set: {}, h: "", end: "", of: "", shown: "0", yaml });
  try {
    await takeModel();
  } catch (error) {
    Object.assign(state, before);
    fillModels();
    throw error;
  }
  await update();
}

/* The state of the link; if that fails, the first model, with a note. */
async function openLink() {
  takeLink(location.hash);
  byId("yaml").value = state.yaml || byId("yaml").value;
  try {
    await takeModel();
  } catch (error) {
    Object.assign(state, emptyState(), { model: start.first });
    await takeModel();
    page.notes.push(`${placeOf(error)}${error.message}. The page shows ${start.first} instead.`);
  }
  await update();
}

/* --- a mechanism or a study of one's own --- */

function answerYaml(text, bad) {
  const answer = byId("yaml-answer");
  answer.textContent = text;
  answer.className = bad ? "warning" : "";
  answer.hidden = text === "";
}

const placeOf = ({ line, column }) => (line > 0 ? `line ${line}, column ${column}: ` : "");

async function runStudies(text) {
  const { problems, studies } = await ask(page.studyWorker, "studies", { text });
  if (problems.length > 0) {
    answerYaml(problems.map((p) => placeOf(p) + p.problem).join("\n"), true);
    return;
  }
  const bad = studies.some((study) => study.fault !== "");
  answerYaml(studies.map((study) => [study.title || study.kind, ...(study.fault ? [`  failed: ${study.fault}`] : []), ...study.verdicts.map((v) => `  ${v.agrees ? "yes" : "NO"}: ${v.words}`),
    ...study.tables.map((table) => `\n${table.name}\n${table.text}`)].join("\n")).join("\n\n"), bad);
}

/* A text with a kind, or a list of such, is a study; matrices have their own first lines; any other is a mechanism. */
async function runYaml() {
  const text = byId("yaml").value;
  answerYaml(text.trim() === "" ? "There is no text to run." : "", true);
  if (text.trim() === "") {
    return;
  }
  try {
    if (/^(- *)?kind *:/m.test(text) && !isMatrices(text)) {
      await runStudies(text);
    } else {
      await chooseModel(ownModelOf(text), text);
      answerYaml(`The text is now the model ${ownModelOf(text)}.`, false);
    }
  } catch (error) {
    answerYaml(placeOf(error) + error.message, true);
  }
}

/* --- all controls --- */

function bindControls() {
  const onChange = (id, act) => byId(id).addEventListener("change", (event) => act(event.target.value));
  const onClick = (id, act) => byId(id).addEventListener("click", act);
  const keep = (key) => (value) => {
    state[key] = value;
    update();
  };
  onChange("model", (name) => {
    if (Object.hasOwn(EXAMPLES, name)) { // it is made of a text
      byId("yaml").value = EXAMPLES[name];
      byId("yaml").closest("details").open = true;
      runYaml();
    } else {
      chooseModel(name, Object.values(OWN_MODELS).includes(name) ? state.yaml : "").catch(failed);
    }
  });
  ["norm", "of", "shown"].forEach((id) => onChange(id, keep(id)));
  onChange("events-of", showEvents);
  onClick("defaults", () => {
    state.set = {};
    takeModel().then(update, failed);
  });
  onClick("add", addScheme);
  onClick("yaml-run", runYaml);
  onClick("yaml-example", () => { byId("yaml").value = YAML_EXAMPLE; });
  onClick("copy-command", () => copy(byId("command").textContent));
  onClick("copy-link", () => copy(location.href.replace(/#.*/, "") + linkOfState()));
  onClick("save-errors", () => saveText(`${state.model}-errors.csv`, "text/csv", errorsCsv(page.series)));
  byId("controls").addEventListener("submit", (event) => event.preventDefault());
  window.addEventListener("resize", () => {
    if (page.motion) {
      drawMotions();
      drawStudy();
      drawEnergy(figureOf("energy"), `${state.model}: energy`, page.energies, page.motion.end);
    }
  });
  window.addEventListener("hashchange", () => openLink().catch(failed));
}
