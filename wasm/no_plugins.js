// no_plugins.js -- dlopen fails, with a message for dlerror. That of emscripten would end the program.
// SPDX-License-Identifier: GPL-3.0-or-later
mergeInto(LibraryManager.library, {
  _dlopen_js__deps: ["__dl_seterr"],
  _dlopen_js: function () {
    withStackSave(function () {
      ___dl_seterr(allocateUTF8OnStack("WebAssembly has no shared objects"), 0);
    });
    return 0;
  },
});
