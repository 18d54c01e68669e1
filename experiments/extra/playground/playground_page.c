/* experiments/extra/playground/playground_page.c -- the page: the page of all, with pages/playground.html as its body.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/extra/module/module.h"
#include "experiments/extra/module/module_pages.h"
#include "experiments/extra/playground/playground.h"
#include "experiments/extra/playground/playground_pages.h"
#include "experiments/show/figure.h"

#include <delassus/output.h>
#include <string.h>

typedef struct page {
  const dls_playground_start *start;
  dls_module module;
} page;

static void put_text(FILE *out, const char *key, const char *text)
{
  if (text != NULL) {
    fprintf(out, ",\"%s\":", key);
    dls_page_put_json(out, text);
  }
}

static void put_list(FILE *out, const char *key, const char *const *texts, size_t count)
{
  fprintf(out, ",\"%s\":[", key);
  for (size_t i = 0; i < count; i++) {
    fputs(i > 0 ? "," : "", out);
    dls_page_put_json(out, texts[i]);
  }
  fputc(']', out);
}

/* Colours, dashes and marks (by gnuplot's numbers) of curves, as in pictures of the tool. */
static void put_styles(FILE *out)
{
  for (size_t i = 0; i < DLS_STYLES; i++) {
    const dls_style style = dls_style_of(i);
    const double *dash = dls_dash_pattern(style.dash);
    fprintf(out, "%s{\"colour\":\"%s\",\"mark\":%d,\"dash\":[", i > 0 ? "," : "[", style.colour,
            (int)style.point);
    for (size_t k = 0; dash != NULL && dash[k] > 0; k++) {
      fprintf(out, "%s%g", k > 0 ? "," : "", dash[k]);
    }
    fputs("]}", out);
  }
  fputc(']', out);
}

static void put_start(FILE *out, const dls_playground_start *start)
{
  fputs("{\"version\":", out);
  dls_page_put_json(out, DLS_VERSION);
  fputs(",\"styles\":", out);
  put_styles(out);
  put_text(out, "first", DLS_PLAYGROUND_MODEL);
  put_text(out, "model", start->model);
  put_text(out, "h", start->step);
  put_text(out, "tol", start->tol);
  put_text(out, "end", start->end);
  put_text(out, "norm", start->norm);
  put_text(out, "of", start->of);
  put_list(out, "set", start->settings, start->setting_count);
  put_list(out, "scheme", start->schemes, start->scheme_count);
  fputc('}', out);
}

/* What is put in a place of the page, and of playground.html, which is its body. */
static void put_place(FILE *out, const char *place, const void *data)
{
  const page *p = data;
  const dls_page_part *parts = dls_playground_parts();
  if (strcmp(place, "body") == 0) {
    dls_page_fill(out, dls_page_part_text(parts, "playground.html"), put_place, data);
  } else if (strcmp(place, "style") == 0) {
    fputs(dls_page_part_text(parts, "playground.css"), out);
  } else if (strcmp(place, "svg.js") == 0) {
    fputs(dls_page_svg(), out);
  } else if (strcmp(place, "version") == 0) {
    fputs(DLS_VERSION, out);
  } else if (strcmp(place, "start") == 0) {
    put_start(out, p->start);
  } else if (strcmp(place, "code") == 0) {
    dls_module_put_base91(out, p->module.code);
  } else if (strcmp(place, "script") == 0) {
    dls_module_put_base91(out, p->module.script);
  } else {
    fputs(dls_page_part_text(parts, place), out);
    fputs(dls_page_part_text(dls_module_parts(), place), out);
  }
}

dls_status dls_playground_write(const dls_playground_start *start, const char *path, dls_error *err)
{
  page p = {.start = start};
  dls_output *output = NULL;
  dls_status status = dls_module_open(&p.module, err);
  status = status != DLS_OK ? status : dls_output_open(path, &output, err);
  if (status == DLS_OK) {
    dls_page_write(dls_output_stream(output), "Playground", put_place, &p);
    status = dls_module_check_read(&p.module, err);
  }
  if (status == DLS_OK) {
    status = dls_output_commit(output, err);
  } else {
    dls_output_abandon(output);
  }
  dls_module_close(&p.module);
  return status;
}
