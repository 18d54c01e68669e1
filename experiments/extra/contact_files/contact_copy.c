/* contact_copy.c -- a contact problem in the form of a file: contacts of equal size, W as a sparse matrix.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <delassus/contact_file.h>

#include <stdlib.h>
#include <string.h>

/* Rows of a contact in the file; 0: the file cannot represent the problem. */
static size_t dimension(const dls_problem *problem, size_t *rows)
{
  size_t dim = 1;
  bool coulomb = false, convex = false;
  *rows = 0;
  for (size_t k = 0; k < problem->count; k++) {
    const dls_block_law law = problem->blocks[k].law;
    if (law == DLS_FREE || (law == DLS_ASSOCIATED && coulomb) || (law == DLS_COULOMB && convex)) {
      return 0;
    }
    coulomb = coulomb || law == DLS_COULOMB;
    convex = convex || law == DLS_ASSOCIATED;
    dim = problem->blocks[k].rows > dim ? problem->blocks[k].rows : dim;
    *rows += problem->blocks[k].rows;
  }
  return dim;
}

/* y := column j of W. */
static void column(const dls_problem *problem, size_t n, size_t j, double *y)
{
  static const double one = 1;
  memset(y, 0, n * sizeof *y);
  if (problem->dense != NULL) {
    memcpy(y, problem->dense + j * n, n * sizeof *y);
  } else if (problem->matrix != NULL) {
    dls_matrix_column_add(problem->matrix, j, 1, y);
  } else {
    problem->by_operator->add_columns(problem->by_operator->data, j, 1, &one, y);
  }
}

/* Visit the nonzero entries of W, column by column; place: row in the file of each row. @return their number */
static size_t visit(const dls_problem *problem, size_t n, const size_t *place, double *y, dls_matrix *W)
{
  size_t count = 0;
  for (size_t j = 0; j < n; j++) {
    column(problem, n, j, y);
    for (size_t i = 0; i < n; i++) {
      count += y[i] != 0;
      if (W != NULL && y[i] != 0) {
        dls_matrix_set(W, place[i], place[j], y[i]);
      }
    }
  }
  return count;
}

/* Contacts with friction have one law, which those without may have, too. */
static void copy_rows(const dls_problem *problem, const double *guess, dls_contact_file *file, size_t *place)
{
  bool convex = false;
  for (size_t k = 0; k < problem->count; k++) {
    convex = convex || problem->blocks[k].law == DLS_ASSOCIATED;
  }
  for (size_t k = 0, row = 0; k < problem->count; k++) {
    const dls_block *block = &problem->blocks[k];
    file->blocks[k] = (dls_block){file->dim == 1 ? DLS_HALF
                                  : convex       ? DLS_ASSOCIATED
                                                 : DLS_COULOMB,
                                  file->dim, block->law == DLS_HALF ? 0 : block->mu};
    for (size_t i = 0; i < block->rows; i++, row++) {
      place[row] = file->dim * k + i;
      file->q[place[row]] = problem->q[row];
      file->r[place[row]] = guess != NULL ? guess[row] : 0;
    }
  }
}

static dls_status copy(const dls_problem *problem, const double *guess, size_t n, dls_contact_file *file,
                       dls_error *err)
{
  const size_t all = file->dim * file->contacts;
  size_t *place = malloc((n + 1) * sizeof *place);
  double *y = malloc((n + 1) * sizeof *y);
  file->blocks = calloc(file->contacts + 1, sizeof *file->blocks);
  file->q = calloc(all + 1, sizeof *file->q);
  file->r = calloc(all + 1, sizeof *file->r);
  file->u = calloc(all + 1, sizeof *file->u);
  if (place != NULL && y != NULL && file->blocks != NULL && file->q != NULL && file->r != NULL &&
      file->u != NULL) {
    copy_rows(problem, guess, file, place);
    file->W = dls_matrix_sparse(all, all, visit(problem, n, place, y, NULL) + 1);
  }
  if (file->W != NULL) {
    visit(problem, n, place, y, file->W);
  }
  free(place);
  free(y);
  return file->W != NULL
             ? DLS_OK
             : dls_fail(err, DLS_ERR_MEMORY, "no memory for a copy of %zu contacts", file->contacts);
}

dls_status dls_contact_file_copy(const dls_problem *problem, const double *guess, dls_contact_file **out,
                                 dls_error *err)
{
  size_t rows = 0;
  const size_t dim = dimension(problem, &rows);
  *out = NULL;
  if (dim == 0) {
    return dls_fail(err, DLS_ERR_NOT_APPLICABLE,
                    "a file of contact problems cannot contain held contacts, nor two laws of friction");
  }
  dls_contact_file *file = calloc(1, sizeof *file);
  if (file == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for a contact problem");
  }
  file->dim = dim;
  file->contacts = problem->count;
  const dls_status status = copy(problem, guess, rows, file, err);
  if (status != DLS_OK) {
    dls_contact_file_destroy(file);
    return status;
  }
  *out = file;
  return DLS_OK;
}
