// index.mjs -- the library in node: createDelassus of delassus-page.js, which reads the module from beside this file.
// SPDX-License-Identifier: GPL-3.0-or-later
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const create = createRequire(import.meta.url)("./delassus-page.js");

export default function createDelassus(options) {
  return create({ wasmBinary: readFileSync(new URL("delassus-page.wasm", import.meta.url)), ...options });
}
