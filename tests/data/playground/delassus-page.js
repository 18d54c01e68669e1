/* delassus-page.js -- in the place of the library for pages, which tests of the command do not need: it does not start.
 * SPDX-License-Identifier: GPL-3.0-or-later */
function createDelassus() {
  return Promise.reject(Error("this page has no library"));
}
