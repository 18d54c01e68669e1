/* live_worker.js -- what the worker of a lesson answers.
 * SPDX-License-Identifier: GPL-3.0-or-later */
"use strict";

let lesson = null;

const answers = {
  /* An element of `motions` in the data of the page, with one run. @param values  of the sliders */
  run({ name, values }) {
    lesson = lesson || library.openLesson(name);
    return lesson.run(values);
  },
};
