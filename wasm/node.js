// node.js -- before the tool or the tests in node: read the module from beside this file. emscripten 3.1.6 would fetch it, which node cannot.
// And it takes standard input and output for terminals, whatever they are.
// SPDX-License-Identifier: GPL-3.0-or-later
Module.wasmBinary = require("fs").readFileSync(require("path").join(__dirname, require("path").basename(__filename, ".js") + ".wasm"));
Module.onRuntimeInitialized = function () {
  for (var fd = 0; fd < 3; fd++) FS.streams[fd].tty = require("tty").isatty(fd);
};
