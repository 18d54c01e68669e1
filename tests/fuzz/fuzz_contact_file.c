/* fuzz_contact_file.c -- any text is a contact problem that is written and read back the same, or an error with a message.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "target.h"
#include <delassus/contact_file.h>
#include <math.h>
#include <string.h>

enum { MOST_CONTACTS = 40 };

static bool same_entries(const dls_matrix *A, const dls_matrix *B, size_t n)
{
  for (size_t i = 0; i < n; i++) {
    for (size_t j = 0; j < n; j++) {
      if (dls_matrix_get(A, i, j) != dls_matrix_get(B, i, j)) {
        return false;
      }
    }
  }
  return true;
}

static void check_problem(const dls_contact_file *file)
{
  const size_t n = file->dim * file->contacts;
  demand(file->dim >= 1 && file->dim <= 3 && file->contacts >= 1 && dls_matrix_rows(file->W) == n);
  for (size_t i = 0; i < n; i++) {
    demand(isfinite(file->q[i]) && isfinite(file->r[i]) && isfinite(file->u[i]));
  }
  for (size_t i = 0; i < file->contacts; i++) {
    demand(file->blocks[i].mu >= 0 && isfinite(file->blocks[i].mu));
  }
}

static void check_copy(const dls_contact_file *file, const dls_contact_file *copy)
{
  const size_t n = file->dim * file->contacts;
  demand(copy->dim == file->dim && copy->contacts == file->contacts);
  for (size_t i = 0; i < n; i++) {
    demand(copy->q[i] == file->q[i] && copy->r[i] == file->r[i]);
  }
  for (size_t i = 0; i < file->contacts; i++) {
    demand(copy->blocks[i].mu == file->blocks[i].mu);
  }
  demand(same_entries(file->W, copy->W, n));
}

static void check_written(const dls_contact_file *file)
{
  dls_contact_file *copy = NULL;
  char *text = NULL;
  size_t size = 0;
  FILE *stream = open_memstream(&text, &size);
  demand(stream != NULL);
  dls_contact_file_write(stream, file, NULL);
  demand(fclose(stream) == 0);
  stream = fmemopen(text, size, "r");
  demand(stream != NULL && dls_contact_file_parse(stream, "copy", &copy, NULL) == DLS_OK);
  fclose(stream);
  free(text);
  check_copy(file, copy);
  dls_contact_file_destroy(copy);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  if (size == 0) {
    return 0;
  }
  dls_contact_file *file = NULL;
  dls_error err = {0};
  FILE *stream = fmemopen((void *)(uintptr_t)data, size, "r");
  demand(stream != NULL);
  const dls_status status = dls_contact_file_parse(stream, "fuzz", &file, &err);
  fclose(stream);
  demand((status == DLS_OK) == (file != NULL));
  demand(status == DLS_OK || ((status == DLS_ERR_PARSE || status == DLS_ERR_MEMORY) && err.text[0] != '\0'));
  if (file != NULL && file->contacts <= MOST_CONTACTS) {
    check_problem(file);
    check_written(file);
  }
  dls_contact_file_destroy(file);
  return 0;
}
