// node.js -- before the tool in node: read the module from beside this file. emscripten 3.1.6 would fetch it, which node cannot.
// SPDX-License-Identifier: GPL-3.0-or-later
Module.wasmBinary = require("fs").readFileSync(require("path").join(__dirname, "delassus.wasm"));
