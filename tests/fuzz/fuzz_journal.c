/* fuzz_journal.c -- any bytes behind the head of runs.csv are runs that are written the same again, or lines that are left
 * out. Lines get a right check, which a fuzzer would not find; the file as it is has the checks that it has.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "target.h"

#include "experiments/campaign/journal.h"
#include "experiments/measures/order/order_journal.h"
#include <delassus/catalogue.h>
#include <string.h>
#include <sys/stat.h>

enum { MEASURES = 4, MOST_PATH = 100 };

static const dls_order_spec *study(void)
{
  static dls_scheme_choice schemes[2];
  static const dls_norm *norms[2];
  static const char *const of[] = {"q", "v"};
  static dls_order_spec spec;
  if (spec.scheme_count == 0) {
    demand(dls_scheme_choose("moreau-jean:theta=1", &schemes[0], NULL) == DLS_OK);
    demand(dls_scheme_choose("event-driven", &schemes[1], NULL) == DLS_OK);
    norms[0] = dls_norm_find("hausdorff");
    norms[1] = dls_norm_find("l1");
    spec = (dls_order_spec){.model = dls_model_find("bouncing-ball", NULL),
                            .scheme_count = 2,
                            .schemes = schemes,
                            .h_first = 0.1,
                            .h_last = 0.05,
                            .levels = 2,
                            .repeats = 3,
                            .end = 1,
                            .seed = 1,
                            .norm_count = 2,
                            .norms = norms,
                            .of_count = 2,
                            .of = of};
  }
  return &spec;
}

/* A line that is a run is the same when it is written and read again. */
static void check_line(const char *text, size_t size, uint64_t hash)
{
  dls_order_point points[MEASURES] = {{0}}, again[MEASURES] = {{0}};
  char *line = malloc(size + DLS_JOURNAL_CHECK_SIZE + 1);
  demand(line != NULL);
  memcpy(line, text, size);
  dls_journal_check(line, size, hash, line + size);
  const dls_journal_form form = dls_order_journal_form(study());
  const size_t length = size + DLS_JOURNAL_CHECK_SIZE - 1,
               cell = dls_journal_line_cell(&form, line, length, hash);
  if (cell != SIZE_MAX && dls_journal_read(&form, line, length, hash, points, cell) == DLS_OK) {
    size_t once_size = 0, twice_size = 0;
    char *once = dls_journal_lines(&form, study(), points, &cell, 1, hash, &once_size);
    demand(dls_journal_line_cell(&form, once, once_size - 1, hash) == cell);
    demand(dls_journal_read(&form, once, once_size - 1, hash, again, cell) == DLS_OK);
    char *twice = dls_journal_lines(&form, study(), again, &cell, 1, hash, &twice_size);
    demand(once_size == twice_size && memcmp(once, twice, once_size) == 0);
    free(once);
    free(twice);
  }
  free(line);
}

static void check_lines(const char *text, size_t size, uint64_t hash)
{
  for (const char *end = text + size; text < end;) {
    const char *feed = memchr(text, '\n', (size_t)(end - text));
    const size_t length = (size_t)((feed == NULL ? end : feed) - text);
    check_line(text, length, hash);
    text += length + 1;
  }
}

/* The head and the bytes as a file from which a study is resumed. */
static void check_file(const char *head, const uint8_t *data, size_t size)
{
  static char path[MOST_PATH];
  if (path[0] == '\0') {
    char folder[] = "/dev/shm/fuzz-XXXXXX";
    demand(mkdtemp(folder) != NULL);
    snprintf(path, sizeof path, "%s/runs.csv", folder);
  }
  FILE *file = fopen(path, "wb");
  demand(file != NULL && fputs(head, file) >= 0);
  demand((size == 0 || fwrite(data, 1, size, file) == size) && fclose(file) == 0);
  dls_journal *journal = NULL;
  size_t runs = 0;
  dls_error err = {0};
  const dls_journal_form form = dls_order_journal_form(study());
  const dls_status status = dls_journal_open(path, &form, study(), DLS_JOURNAL_RESUME, &runs, &journal, &err);
  demand((status == DLS_OK) == (journal != NULL));
  demand(status == DLS_OK ? runs <= 7 : err.text[0] != '\0'); /* 2 levels of 3 runs, and one by events */
  dls_journal_close(journal);
  unlink(path);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  static char *head = NULL;
  static uint64_t hash;
  if (head == NULL) {
    demand(dls_order_journal_head(study(), NULL, NULL, &head, &hash, NULL) == DLS_OK);
  }
  check_lines((const char *)data, size, hash);
  check_file(head, data, size);
  return 0;
}
