/* system_entries.c -- see system_entries.h.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/models/matrix_market/system_entries.h"
#include "common/base/text.h"
#include "common/linear/storage.h"
#include "common/models/matrix_market/market_table.h"
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef enum length { COORDINATES, CONTACTS, TANGENTS } length;

static const struct {
  const char *name;
  size_t offset;
  bool symmetric;
  length columns;
} matrices[] = {{"M", offsetof(dls_system, M), true, COORDINATES},
                {"K", offsetof(dls_system, K), true, COORDINATES},
                {"C", offsetof(dls_system, C), true, COORDINATES},
                {"H", offsetof(dls_system, H), false, CONTACTS},
                {"T", offsetof(dls_system, T), false, TANGENTS}};
static const struct {
  const char *name;
  size_t offset;
  length count;
  bool linear, friction; /* only linear systems, systems with tangents have it */
  double low, high;
} vectors[] = {{"q0", offsetof(dls_system, q0), COORDINATES, false, false, -DBL_MAX, DBL_MAX},
               {"v0", offsetof(dls_system, v0), COORDINATES, false, false, -DBL_MAX, DBL_MAX},
               {"w", offsetof(dls_system, w), CONTACTS, true, false, -DBL_MAX, DBL_MAX},
               {"e", offsetof(dls_system, e), CONTACTS, false, false, 0, 1},
               {"mu", offsetof(dls_system, mu), CONTACTS, false, true, 0, DBL_MAX},
               {"mu_s", offsetof(dls_system, mu_s), CONTACTS, false, true, 0, DBL_MAX},
               {"e_t", offsetof(dls_system, e_t), CONTACTS, false, true, 0, 1}};
enum { MATRICES = sizeof matrices / sizeof matrices[0], VECTORS = sizeof vectors / sizeof vectors[0] };

static size_t length_of(const dls_system *sys, length what)
{
  return what == COORDINATES ? sys->n : what == CONTACTS ? sys->m : (sys->d - 1) * sys->m;
}

/* The numbers of an entry: of a matrix or of a vector; rows = 0 if the system has none of that name. */
typedef struct place {
  dls_matrix **matrix;
  bool symmetric;
  double *vector;
  size_t rows, columns; /* columns 0: a vector */
  double low, high;
} place;

/* Nonlinear systems have only those matrices that are constant and determine the motion: their M, if no callback gives it. */
static place matrix_place(const dls_system *sys, size_t k)
{
  const bool there = sys->linear ? sys->tangents == NULL || strcmp(matrices[k].name, "T") != 0
                                 : strcmp(matrices[k].name, "M") == 0 && sys->mass == NULL;
  const size_t columns = there ? length_of(sys, matrices[k].columns) : 0;
  return (place){.matrix = (dls_matrix **)((char *)sys + matrices[k].offset),
                 .symmetric = matrices[k].symmetric,
                 .rows = columns > 0 ? sys->n : 0,
                 .columns = columns,
                 .low = -DBL_MAX,
                 .high = DBL_MAX};
}

static place vector_place(const dls_system *sys, size_t k)
{
  const bool there = (sys->linear || !vectors[k].linear) && (sys->d > 1 || !vectors[k].friction);
  return (place){.vector = *(double **)((char *)sys + vectors[k].offset),
                 .rows = there ? length_of(sys, vectors[k].count) : 0,
                 .low = vectors[k].low,
                 .high = vectors[k].high};
}

static place find_place(const dls_system *sys, const char *name)
{
  for (size_t k = 0; k < MATRICES; k++) {
    if (strcmp(name, matrices[k].name) == 0) {
      return matrix_place(sys, k);
    }
  }
  for (size_t k = 0; k < VECTORS; k++) {
    if (strcmp(name, vectors[k].name) == 0) {
      return vector_place(sys, k);
    }
  }
  place own = {.low = -DBL_MAX, .high = DBL_MAX};
  own.vector = sys->vector != NULL ? sys->vector(sys, name, &own.rows) : NULL;
  return own;
}

/* --- names --- */

bool dls_system_entry_is(const char *text)
{
  return strchr(text, '[') != NULL;
}

void dls_system_entry_names(const dls_system *sys, char *text, size_t size)
{
  text[0] = '\0';
  for (size_t k = 0; k < MATRICES; k++) {
    const place at = sys != NULL ? matrix_place(sys, k) : (place){.rows = 1};
    if (at.rows > 0) {
      dls_text_append(text, size, "%s%s[i,j]", text[0] != '\0' ? ", " : "", matrices[k].name);
    }
  }
  for (size_t k = 0; k < VECTORS; k++) {
    const place at = sys != NULL ? vector_place(sys, k) : (place){.rows = 1};
    if (at.rows > 0) {
      dls_text_append(text, size, "%s%s[i]", text[0] != '\0' ? ", " : "", vectors[k].name);
    }
  }
  for (const char *const *own = (const char *const[]){"f", "vT", NULL}; *own != NULL; own++) {
    size_t count = sys == NULL;
    if (count > 0 || (sys->vector != NULL && sys->vector(sys, *own, &count) != NULL)) {
      dls_text_append(text, size, ", %s[i]", *own);
    }
  }
}

/* "NAME[i]" or "NAME[i,j]" @return how many indices; 0: it is neither */
static size_t read_name(const char *text, dls_system_entry *out)
{
  const size_t name = strcspn(text, "[");
  size_t *const index[] = {&out->row, &out->column};
  size_t count = 0;
  const char *at = text + name;
  snprintf(out->name, sizeof out->name, "%s", text);
  snprintf(out->of, sizeof out->of, "%.*s", (int)name, text);
  for (; count < 2 && *at == (count == 0 ? '[' : ','); count++) {
    char *end = NULL;
    const size_t digits = strspn(at + 1, "0123456789");
    *index[count] = digits > 0 && digits < 10 ? strtoul(at + 1, &end, 10) : 0;
    if (end == NULL) {
      return 0;
    }
    at = end;
  }
  return strcmp(at, "]") == 0 && strlen(text) < sizeof out->name ? count : 0;
}

/* The largest number of a vector, or of a matrix. */
static void take_larger(void *data, size_t i, size_t j, double x)
{
  double *largest = data;
  (void)i, (void)j;
  *largest = fmax(*largest, fabs(x));
}

static double size_of(const place *at, double value)
{
  double largest = fabs(value);
  for (size_t i = 0; value == 0 && at->vector != NULL && i < at->rows; i++) {
    take_larger(&largest, i, 0, at->vector[i]);
  }
  if (value == 0 && at->matrix != NULL && *at->matrix != NULL) {
    dls_matrix_visit(*at->matrix, take_larger, &largest);
  }
  return largest > 0 ? largest : 1;
}

dls_status dls_system_entry_find(const dls_system *sys, const char *owner, const char *text,
                                 dls_system_entry *out, dls_error *err)
{
  *out = (dls_system_entry){.value = 0};
  const size_t indices = read_name(text, out);
  const place at = find_place(sys, out->of);
  if (indices == 0 || at.rows == 0) {
    char names[200];
    dls_system_entry_names(sys, names, sizeof names);
    return dls_fail(err, DLS_ERR_OPTION, "%s: there is no entry '%.60s'; there are %s, with indices from 0",
                    owner, text, names);
  }
  if (indices != (at.columns > 0 ? 2 : 1) || out->row >= at.rows ||
      (at.columns > 0 && out->column >= at.columns)) {
    char size[60];
    snprintf(size, sizeof size, at.columns > 0 ? "%zu x %zu" : "a vector of %zu", at.rows, at.columns);
    return dls_fail(err, DLS_ERR_OPTION, "%s: there is no entry '%.60s': %s is %s, and indices start at 0",
                    owner, text, out->of, size);
  }
  const bool empty = at.matrix != NULL && *at.matrix == NULL;
  out->value = at.vector != NULL ? at.vector[out->row]
               : empty           ? 0
                                 : dls_matrix_get(*at.matrix, out->row, out->column);
  out->size = size_of(&at, out->value);
  out->low = at.low;
  out->high = at.high;
  return DLS_OK;
}

/* --- changes --- */

/* A(i,j) += x, of a matrix that may have no place for it. */
static bool add(dls_matrix **A, size_t rows, size_t columns, size_t i, size_t j, double x)
{
  if (*A != NULL && dls_matrix_place(*A, i, j) != NULL) {
    return dls_matrix_set(*A, i, j, dls_matrix_get(*A, i, j) + x) == DLS_OK;
  }
  dls_market_entry one = {.row = i, .column = j, .value = x};
  dls_market change = {.rows = rows, .columns = columns, .count = 1, .entries = &one};
  dls_matrix *single = dls_market_matrix(&change);
  const dls_matrix *const terms[] = {*A, single};
  dls_matrix *sum = single != NULL ? dls_market_sum(rows, columns, 2, terms, (const double[]){1, 1}) : NULL;
  dls_matrix_destroy(single);
  if (sum != NULL) {
    dls_matrix_destroy(*A);
    *A = sum;
  }
  return sum != NULL;
}

static bool add_both(const place *at, dls_matrix **A, const dls_system_entry *entry, double x)
{
  return add(A, at->rows, at->columns, entry->row, entry->column, x) &&
         (!at->symmetric || entry->row == entry->column ||
          add(A, at->rows, at->columns, entry->column, entry->row, x));
}

dls_status dls_system_entry_add(dls_system *sys, const dls_system_entry *entry, double change, dls_error *err)
{
  const place at = find_place(sys, entry->of);
  if (change == 0) {
    return DLS_OK;
  }
  if (at.vector != NULL) {
    at.vector[entry->row] += change;
    return DLS_OK;
  }
  const double rayleigh = strcmp(entry->of, "M") == 0   ? sys->rayleigh_mass
                          : strcmp(entry->of, "K") == 0 ? sys->rayleigh_stiffness
                                                        : 0;
  const bool done = add_both(&at, at.matrix, entry, change) &&
                    (rayleigh == 0 || add_both(&at, &sys->C, entry, rayleigh * change));
  return done ? DLS_OK : dls_fail(err, DLS_ERR_MEMORY, "no memory for the entry %s", entry->name);
}
