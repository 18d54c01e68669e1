/* experiments/show/page.c -- templates with places {{NAME}}.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/show/page.h"
#include "experiments/show/report_svg.h"

#include <delassus/output.h>
#include <string.h>

enum { LONGEST_NAME = 40 };

void dls_page_fill(FILE *out, const char *template, dls_page_put put, const void *data)
{
  for (const char *place; (place = strstr(template, "{{")) != NULL;) {
    const char *end = strstr(place, "}}");
    char name[LONGEST_NAME];
    fwrite(template, 1, (size_t)(place - template), out);
    snprintf(name, sizeof name, "%.*s", (int)(end - place - 2), place + 2);
    put(out, name, data);
    template = end + 2;
  }
  fputs(template, out);
}

typedef struct page {
  const char *title;
  dls_page_put put;
  const void *data;
} page;

static void put_place(FILE *out, const char *name, const void *data)
{
  const page *p = data;
  if (strcmp(name, "version") == 0) {
    fputs(DLS_VERSION, out);
    return;
  }
  if (strcmp(name, "title") == 0) {
    dls_markup_escape(out, p->title);
    return;
  }
  if (strcmp(name, "style") == 0) {
    fputs(dls_page_style(), out);
  }
  p->put(out, name, p->data);
}

void dls_page_write(FILE *out, const char *title, dls_page_put put, const void *data)
{
  dls_page_fill(out, dls_page_template(), put_place, &(page){title, put, data});
}

const char *dls_page_part_text(const dls_page_part *parts, const char *name)
{
  while (parts->name != NULL && strcmp(parts->name, name) != 0) {
    parts++;
  }
  return parts->name != NULL ? parts->text : "";
}

void dls_page_put_json(FILE *out, const char *text)
{
  fputc('"', out);
  for (; *text != '\0'; text++) {
    if (*text == '"' || *text == '\\' || *text == '<' || (unsigned char)*text < ' ') {
      fprintf(out, "\\u%04x", (unsigned)*text); /* '<' too, because the text is inside an element */
    } else {
      fputc(*text, out);
    }
  }
  fputc('"', out);
}
