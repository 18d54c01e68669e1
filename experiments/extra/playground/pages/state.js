/* state.js -- what the page shows, and the same as the part of its address behind #.
 * SPDX-License-Identifier: GPL-3.0-or-later */
"use strict";

const byId = (id) => document.getElementById(id);
const start = JSON.parse(byId("start").textContent);
const MOST_SCHEMES = 4;

/* Values are texts, as on a command line: set: name -> value, schemes: [{name, options: name -> value}]. */
const emptyState = () => ({ model: "", set: {}, schemes: [], h: "", tol: "1e-6", end: "", norm: "hausdorff", of: "", shown: "0", yaml: "" });
const state = emptyState();

const pairsOf = (list) => Object.fromEntries(list.map((text) => {
  const at = text.indexOf("=");
  return at < 0 ? [text, ""] : [text.slice(0, at), text.slice(at + 1)];
}));
const wordsOf = (pairs) => Object.entries(pairs).map(([name, value]) => `${name}=${value}`);

function schemeOf(text) {
  const at = text.indexOf(":");
  return at < 0 ? { name: text, options: {} } : { name: text.slice(0, at), options: pairsOf(text.slice(at + 1).split(",")) };
}

const textOfScheme = ({ name, options }) => [name, wordsOf(options).join(",")].filter(Boolean).join(":");

/* Take over what is given; what is not stays. */
function takeState(given) {
  for (const key of ["model", "h", "tol", "end", "norm", "of", "shown", "yaml"]) {
    if (given[key] !== undefined && given[key] !== null) {
      state[key] = given[key];
    }
  }
  if (given.set && given.set.length > 0) {
    state.set = pairsOf(given.set);
  }
  if (given.scheme && given.scheme.length > 0) {
    state.schemes = given.scheme.slice(0, MOST_SCHEMES).map(schemeOf);
  }
}

function stateOfLink(link) {
  const words = new URLSearchParams(link.replace(/^#/, ""));
  const given = Object.fromEntries(words);
  return { ...given, set: words.getAll("set"), scheme: words.getAll("scheme") };
}

/* The state of a link. A link without a model changes what the command line said. */
function takeLink(link) {
  const given = stateOfLink(link);
  Object.assign(state, emptyState());
  if (given.model === undefined) {
    takeState({ model: start.first, ...start });
  }
  takeState(given);
}

function linkOfState() {
  const words = new URLSearchParams();
  for (const key of ["model", "h", "tol", "end", "norm", "of", "shown", "yaml"]) {
    if (state[key] !== "") {
      words.append(key, state[key]);
    }
  }
  wordsOf(state.set).forEach((word) => words.append("set", word));
  state.schemes.forEach((scheme) => words.append("scheme", textOfScheme(scheme)));
  return `#${words}`;
}
