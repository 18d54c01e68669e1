/* experiments/cli/lesson.c -- `delassus lesson`: an interactive lesson, one page with sliders.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/extra/lesson/lesson.h"
#include "experiments/cli/cli.h"
#include "experiments/cli/command_line.h"
#include "experiments/cli/progress.h"

static int print_list(const dls_cli_args *args)
{
  dls_cli_rows rows = {.columns = 2};
  dls_error err = {0};
  for (const dls_lesson *lesson = dls_lessons(); lesson->name != NULL; lesson++) {
    dls_cli_cell(&rows, "%s", lesson->name);
    dls_cli_cell(&rows, "%s", lesson->summary);
  }
  const dls_status status = dls_cli_rows_print(
      &rows, "lessons: pages with sliders, for `delassus lesson NAME -o FILE.html`\n", stdout, &err);
  return status == DLS_OK ? DLS_EXIT_DONE : dls_cli_fail(args->command->name, &err);
}

static dls_status write_page(const dls_cli_args *args, dls_error *err)
{
  const char *name = args->positional[0], *path = dls_cli_value(args, "out");
  dls_request options;
  const dls_lesson *lesson = dls_lesson_find(name, err);
  if (lesson == NULL) {
    return DLS_ERR_OPTION;
  }
  if (path == NULL) {
    return dls_fail(err, DLS_ERR_ARG, "--out is missing: -o %s.html", name);
  }
  if (dls_cli_check_output(path, err) != DLS_OK || dls_cli_read_options(args, &options, err) != DLS_OK) {
    return err->status;
  }
  dls_cli_progress progress = dls_cli_progress_start(options.progress, name, 1);
  const dls_status status =
      dls_lesson_write(lesson, dls_cli_count(args, "live") > 0, path, dls_cli_progress_poll, &progress, err);
  dls_cli_progress_end(&progress, status == DLS_OK);
  return status;
}

static int run(const dls_cli_args *args)
{
  dls_error err = {0};
  const bool live = dls_cli_count(args, "live") > 0;
  if (args->positional_count == 0 && (live || dls_cli_value(args, "out") != NULL)) {
    dls_fail(&err, DLS_ERR_ARG, "--%s needs the name of a lesson", live ? "live" : "out");
    return dls_cli_fail(args->command->name, &err);
  }
  if (args->positional_count == 0) {
    return print_list(args);
  }
  return write_page(args, &err) == DLS_OK ? DLS_EXIT_DONE : dls_cli_fail(args->command->name, &err);
}

static const dls_cli_option options[] = {
    {.name = "out", .argument = "FILE.html", .help = "the page, also as -o FILE.html"},
    {.name = "live", .help = "the page contains the library: sliders take values between those of the tables"},
    {0},
};

const dls_cli_command dls_cli_lesson = {
    .name = "lesson",
    .group = DLS_CLI_LEARN,
    .synopsis = "[LESSON]",
    .summary = "an interactive lesson: one page with sliders",
    .text =
        "Make the page of a lesson: one file that needs no network, with sliders for the step and what "
        "belongs to\n"
        "the lesson. Every value of the sliders is a run that was made by this program; each drag drops "
        "its errors\n"
        "on a log-log plot. With --live the page contains this library, and computes what lies between these\n"
        "values. Without a name: the lessons that there are.\n",
    .page = "guide/class",
    .examples = "  delassus lesson\n"
                "  delassus lesson moreau-jean -o moreau-jean.html\n"
                "  delassus lesson moreau-jean --live -o moreau-jean.html\n",
    .options = options,
    .keys = DLS_COMMAND_LESSON,
    .least = 0,
    .most = 1,
    .run = run,
};
