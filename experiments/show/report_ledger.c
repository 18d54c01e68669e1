/* experiments/show/report_ledger.c -- a ledger on a page: the picture, and for each problem a table and the command that repeats it.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/base/text.h"
#include "experiments/show/pictures.h"
#include "experiments/show/report_study.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LABEL_ROOM = 320, CELL_ROOM = 80 };

/* Of an order or a plateau that is missing or doubtful. Reasons of other cells are in ledger.csv. */
static const char *remark_of(const dls_ledger_row *row)
{
  const char *order = row->cells[DLS_LEDGER_ORDER].remark;
  return row->failure != NULL ? row->failure : order;
}

static void put_table(dls_report *report, const dls_ledger *ledger, const dls_ledger_problem *problem)
{
  const char *headers[DLS_LEDGER_QUANTITIES + 2] = {"scheme"};
  dls_ledger_quantity shown[DLS_LEDGER_QUANTITIES];
  size_t count = 0;
  for (int i = 0; i < DLS_LEDGER_LIMIT; i++) {
    if (dls_ledger_has(ledger, problem, (dls_ledger_quantity)i)) {
      headers[1 + count] = dls_ledger_headings[i].name;
      shown[count++] = (dls_ledger_quantity)i;
    }
  }
  headers[1 + count] = "remark";
  dls_report_table_begin(report, "", count + 2, headers);
  for (size_t i = 0; i < ledger->count; i++) {
    const dls_ledger_row *row = &ledger->rows[i];
    char text[LABEL_ROOM];
    if (row->problem != problem) {
      continue;
    }
    dls_report_cell(report, "%s", dls_ledger_label(row, text, sizeof text));
    for (size_t k = 0; k < count; k++) {
      dls_report_cell(report, "%s", dls_ledger_text(row, shown[k], true, text, sizeof text));
    }
    dls_report_cell(report, "%s", remark_of(row));
  }
  dls_report_table_end(report);
}

/* The command of the first row, SCHEME in place of its scheme: other rows differ in nothing else. */
static void put_command(dls_report *report, const dls_ledger *ledger, const dls_ledger_problem *problem)
{
  static const char option[] = "--scheme ";
  const dls_ledger_row *row = ledger->rows;
  while (row->problem != problem) {
    row++;
  }
  const char *at = strstr(row->command, option);
  char *text = NULL;
  size_t size = 0;
  FILE *out = at != NULL ? dls_text_stream(&text, &size) : NULL;
  if (out != NULL) {
    at += strlen(option);
    fprintf(out, "%.*sSCHEME%s", (int)(at - row->command), row->command, at + strcspn(at, " "));
  }
  if (out == NULL || fclose(out) != 0) {
    dls_report_out_of_memory(report);
  } else {
    dls_report_preformatted(report, text);
  }
  free(text);
}

static const dls_ledger_problem *next_problem(const dls_ledger *ledger, const dls_ledger_problem *after)
{
  bool passed = after == NULL;
  for (size_t i = 0; i < ledger->count; i++) {
    if (passed && ledger->rows[i].problem != after) {
      return ledger->rows[i].problem;
    }
    passed = passed || ledger->rows[i].problem == after;
  }
  return NULL;
}

void dls_report_ledger(dls_report *report, const dls_ledger *ledger)
{
  size_t number = 0;
  for (const dls_ledger_problem *p = next_problem(ledger, NULL); p != NULL; p = next_problem(ledger, p)) {
    const dls_ledger_row *row = ledger->rows;
    while (row->problem != p ||
           (row->failure != NULL && row + 1 < ledger->rows + ledger->count && row[1].problem == p)) {
      row++;
    }
    char title[80];
    snprintf(title, sizeof title, "%zu. %s", ++number, p->name);
    dls_report_heading(report, title);
    const char *reference = row->cells[DLS_LEDGER_ORDER].reference;
    dls_report_paragraph(report, "%s: model %s on [0, %s] s. Rigid contact: %s.", p->summary, p->model, p->end,
                         reference[0] != '\0' ? reference : "no scheme has a result");
    put_table(report, ledger, p);
    put_command(report, ledger, p);
  }
}

static dls_status draw(const void *data, const dls_canvas *canvas, dls_error *err)
{
  return dls_draw_ledger(data, canvas, err);
}

dls_status dls_report_ledger_picture(dls_report *report, const dls_ledger *ledger, dls_error *err)
{
  return dls_report_picture(report, draw, ledger, "what each step model converges to",
                            "A mark for each scheme and problem.", err);
}
