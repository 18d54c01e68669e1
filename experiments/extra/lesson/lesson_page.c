/* experiments/extra/lesson/lesson_page.c -- the page of a lesson: the page of all, with pages/lesson.html as its body.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/base/text.h"
#include "experiments/extra/lesson/lesson.h"
#include "experiments/extra/lesson/lesson_pages.h"
#include "experiments/extra/module/module.h"
#include "experiments/extra/module/module_pages.h"
#include "experiments/show/page.h"

#include <delassus/output.h>
#include <stdlib.h>
#include <string.h>

static const char lab_mark[] = "<!-- lab -->\n";

static const char *part_named(const char *name)
{
  return dls_page_part_text(dls_lesson_parts(), name);
}

typedef struct page {
  const dls_lesson *lesson;
  const char *tables;
  const dls_module *module; /* NULL: the page computes nothing */
} page;

/* What is in lesson.html only without the library, and only with it. */
static const struct {
  const char *place, *without, *with;
} wordings[] = {
    {"flag", "", " --live"},
    {"between", "", ", or of the library in this page, where a slider stands between two of these values"},
    {"computes", "computes none, and ", ""},
};

static const char *wording_of(const char *place, bool live)
{
  for (size_t i = 0; i < sizeof wordings / sizeof wordings[0]; i++) {
    if (strcmp(place, wordings[i].place) == 0) {
      return live ? wordings[i].with : wordings[i].without;
    }
  }
  return "";
}

/* What is put in a place of the page, and of lesson.html, which is its body. */
static void put_place(FILE *out, const char *place, const void *data)
{
  const page *p = data;
  char name[80];
  snprintf(name, sizeof name, "%s.html", p->lesson->name);
  const char *text = part_named(name), *lab = strstr(text, lab_mark);
  if (strcmp(place, "body") == 0) {
    dls_page_fill(out, part_named("lesson.html"), put_place, data);
  } else if (strcmp(place, "style") == 0) {
    fputs(part_named("lesson.css"), out);
    fputs(p->module != NULL ? part_named("live.css") : "", out);
  } else if (strcmp(place, "live") == 0) {
    dls_page_fill(out, p->module != NULL ? part_named("live.html") : "", put_place, data);
  } else if (strcmp(place, "code") == 0) {
    dls_module_put_base91(out, p->module->code);
  } else if (strcmp(place, "script") == 0) {
    dls_module_put_base91(out, p->module->script);
  } else if (strcmp(place, "svg.js") == 0) {
    fputs(dls_page_svg(), out);
  } else if (strcmp(place, "name") == 0) {
    fputs(p->lesson->name, out);
  } else if (strcmp(place, "version") == 0) {
    fputs(DLS_VERSION, out);
  } else if (strcmp(place, "tables") == 0) {
    fputs(p->tables, out);
  } else if (strcmp(place, "before") == 0) {
    fwrite(text, 1, lab != NULL ? (size_t)(lab - text) : strlen(text), out);
  } else if (strcmp(place, "after") == 0) {
    fputs(lab != NULL ? lab + strlen(lab_mark) : "", out);
  } else {
    fputs(wording_of(place, p->module != NULL), out);
    fputs(part_named(place), out);
    fputs(dls_page_part_text(dls_module_parts(), place), out);
  }
}

static dls_status make_tables(const dls_lesson *lesson, char **text, dls_lesson_poll poll, void *poll_data,
                              dls_error *err)
{
  size_t size = 0;
  FILE *stream = dls_text_stream(text, &size);
  if (stream == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for lesson %s", lesson->name);
  }
  const dls_status status = dls_lesson_write_tables(lesson, stream, poll, poll_data, err);
  const bool whole = fclose(stream) == 0;
  return status == DLS_OK && !whole ? dls_fail(err, DLS_ERR_MEMORY, "no memory for lesson %s", lesson->name)
                                    : status;
}

dls_status dls_lesson_write(const dls_lesson *lesson, bool live, const char *path, dls_lesson_poll poll,
                            void *poll_data, dls_error *err)
{
  char *tables = NULL;
  dls_output *output = NULL;
  dls_module module = {0};
  dls_status status = live ? dls_module_open(&module, err) : DLS_OK;
  status = status != DLS_OK ? status : make_tables(lesson, &tables, poll, poll_data, err);
  status = status != DLS_OK ? status : dls_output_open(path, &output, err);
  if (status == DLS_OK) {
    dls_page_write(dls_output_stream(output), lesson->title, put_place,
                   &(page){lesson, tables, live ? &module : NULL});
    status = live ? dls_module_check_read(&module, err) : DLS_OK;
  }
  if (status == DLS_OK) {
    status = dls_output_commit(output, err);
  } else {
    dls_output_abandon(output);
  }
  dls_module_close(&module);
  free(tables);
  return status;
}
