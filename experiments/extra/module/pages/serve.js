/* serve.js -- the side of a worker: it opens the library and answers questions by the functions of `answers`, one after the other.
 * SPDX-License-Identifier: GPL-3.0-or-later */
"use strict";

let library = null;
let opened = null; // a promise: the library is there

/* After a trap the memory of the library cannot be relied on. */
const isTrap = (error) => error instanceof WebAssembly.RuntimeError;

self.onmessage = async ({ data }) => {
  if (data.code) {
    opened = openLibrary(data.code).then((it) => { library = it; });
    return;
  }
  try {
    await opened;
    self.postMessage({ answer: answers[data.question.what](data.question.of) });
  } catch (error) {
    self.postMessage({ failure: { message: error.message, line: error.line, column: error.column, trap: isTrap(error) } });
  }
};
