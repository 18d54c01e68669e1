/* fclib_hdf5.c -- contact problems from FCLIB's files:
 *   /fclib_local/spacedim                2 or 3
 *   /fclib_local/W/{m,n,nz,nzmax,p,i,x}  nz >= 0: triplets, p rows, i columns; -1: compressed columns, -2: compressed rows
 *   /fclib_local/vectors/{q,mu}          order N, T1, T2 inside a contact
 *   /guesses/{number_of_guesses,1/r}     optional: the guess
 *   /solution/{u,r}                      of an answer
 * Source: Acary, Bremond, Koziara, Perignon 2014, FCLIB: a collection of discrete 3D frictional contact problems, INRIA RT-0444.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/extra/contact_files/fclib.h"
#include "experiments/extra/contact_files/hdf5_calls.h"
#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { READ_ONLY = 0 }; /* H5F_ACC_RDONLY, which would call the library */
enum { MOST_CONTACTS = INT_MAX / 16 };

typedef struct reader {
  dls_hdf5 h;
  hid_t file;
  const char *name;
  dls_contact_file *problem;
} reader;

/* Does it exist? HDF5 needs a query for every folder on the path. */
static bool there(const reader *r, const char *path)
{
  char part[80];
  for (const char *end = strchr(path + 1, '/');; end = strchr(end + 1, '/')) {
    snprintf(part, sizeof part, "%.*s", end != NULL ? (int)(end - path) : (int)sizeof part - 1, path);
    if (r->h.H5Lexists_(r->file, part, H5P_DEFAULT) <= 0) {
      return false;
    }
    if (end == NULL) {
      return true;
    }
  }
}

/* Are the numbers stored in this file? A link, or external storage, may refer to any other file or to a pipe. */
static bool is_inside(const reader *r, hid_t data)
{
  char here[1024] = "", place[1024] = "";
  const hid_t storage = r->h.H5Dget_create_plist_(data);
  const H5D_layout_t layout = r->h.H5Pget_layout_(storage);
  const bool one_file = r->h.H5Fget_name_(r->file, here, sizeof here) > 0 &&
                        r->h.H5Fget_name_(data, place, sizeof place) > 0 && strcmp(here, place) == 0;
  const bool inside =
      one_file && layout >= H5D_COMPACT && layout <= H5D_CHUNKED && r->h.H5Pget_external_count_(storage) == 0;
  r->h.H5Pclose_(storage);
  return inside;
}

/* Read `count` numbers from the beginning of an open dataset of `points`. */
static bool copy(const reader *r, hid_t data, hid_t space, hid_t type, size_t count, void *x)
{
  const hsize_t begin = 0, size = count;
  const int rank = r->h.H5Sget_simple_extent_ndims_(space);
  if (count == 0 || rank == 0) { /* a single number needs no selection */
    return count == 0 || r->h.H5Dread_(data, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, x) >= 0;
  }
  const hid_t memory = r->h.H5Screate_simple_(1, &size, NULL);
  const bool done = rank == 1 &&
                    r->h.H5Sselect_hyperslab_(space, H5S_SELECT_SET, &begin, NULL, &size, NULL) >= 0 &&
                    r->h.H5Dread_(data, type, memory, space, H5P_DEFAULT, x) >= 0;
  r->h.H5Sclose_(memory);
  return done;
}

static dls_status read_array(const reader *r, const char *path, hid_t type, size_t count, void *x,
                             dls_error *err)
{
  if (!there(r, path)) {
    return dls_fail(err, DLS_ERR_PARSE, "%.120s: no %s", r->name, path);
  }
  const hid_t data = r->h.H5Dopen2_(r->file, path, H5P_DEFAULT);
  if (data < 0) {
    return dls_fail(err, DLS_ERR_PARSE, "%.120s: %s is not an array", r->name, path);
  }
  if (!is_inside(r, data)) {
    r->h.H5Dclose_(data);
    return dls_fail(err, DLS_ERR_PARSE, "%.120s: the numbers of %s are not stored in this file", r->name, path);
  }
  const hid_t space = r->h.H5Dget_space_(data);
  const hssize_t points = r->h.H5Sget_simple_extent_npoints_(space);
  const bool enough = points >= 0 && (size_t)points >= count;
  const bool done = enough && copy(r, data, space, type, count, x);
  r->h.H5Sclose_(space);
  r->h.H5Dclose_(data);
  if (!enough) {
    return dls_fail(err, DLS_ERR_PARSE, "%.120s: %s has %lld numbers, expected %zu", r->name, path,
                    (long long)points, count);
  }
  return done ? DLS_OK : dls_fail(err, DLS_ERR_PARSE, "%.120s: cannot read the numbers of %s", r->name, path);
}

static dls_status read_integer(const reader *r, const char *path, int least, int most, int *n, dls_error *err)
{
  const dls_status status = read_array(r, path, r->h.whole, 1, n, err);
  if (status == DLS_OK && (*n < least || *n > most)) {
    return dls_fail(err, DLS_ERR_PARSE, "%.120s: %s = %d is outside [%d, %d]", r->name, path, *n, least, most);
  }
  return status;
}

static dls_status read_numbers(const reader *r, const char *path, size_t count, double least, double *x,
                               dls_error *err)
{
  const dls_status status = read_array(r, path, r->h.real, count, x, err);
  for (size_t k = 0; k < count && status == DLS_OK; k++) {
    if (!isfinite(x[k]) || x[k] < least) {
      return dls_fail(err, DLS_ERR_PARSE, "%.120s: %s[%zu] = %g is %s", r->name, path, k, x[k],
                      isfinite(x[k]) ? "below 0" : "not finite");
    }
  }
  return status;
}

/* W as stored in the file. */
typedef struct storage {
  int n, nz;
  size_t entries;
  int *p, *i;
  double *x;
} storage;

/* Read p, and the number of entries it announces. */
static dls_status read_starts(const reader *r, storage *s, dls_error *err)
{
  const size_t count = s->nz >= 0 ? (size_t)s->nz : (size_t)s->n + 1;
  s->p = malloc((count + 1) * sizeof *s->p);
  if (s->p == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for W");
  }
  const dls_status status = read_array(r, "/fclib_local/W/p", r->h.whole, count, s->p, err);
  for (size_t k = 0; s->nz < 0 && k < count && status == DLS_OK; k++) {
    if (k == 0 ? s->p[k] != 0 : s->p[k] < s->p[k - 1]) {
      return dls_fail(err, DLS_ERR_PARSE,
                      "%.120s: /fclib_local/W/p[%zu] = %d: p must start at 0 and not decrease", r->name, k,
                      s->p[k]);
    }
  }
  s->entries = s->nz >= 0 ? (size_t)s->nz : (size_t)s->p[s->n];
  return status;
}

static dls_status read_storage(const reader *r, storage *s, dls_error *err)
{
  dls_status status = read_integer(r, "/fclib_local/W/nz", -2, INT_MAX, &s->nz, err);
  if (status == DLS_OK) {
    status = read_starts(r, s, err);
  }
  if (status != DLS_OK) {
    return status;
  }
  s->i = malloc((s->entries + 1) * sizeof *s->i);
  s->x = malloc((s->entries + 1) * sizeof *s->x);
  if (s->i == NULL || s->x == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for %zu entries of W", s->entries);
  }
  status = read_array(r, "/fclib_local/W/i", r->h.whole, s->entries, s->i, err);
  return status != DLS_OK ? status : read_numbers(r, "/fclib_local/W/x", s->entries, -HUGE_VAL, s->x, err);
}

static dls_status put_entry(const reader *r, const storage *s, size_t k, int row, int column, dls_market *table,
                            dls_error *err)
{
  if (row < 0 || row >= s->n || column < 0 || column >= s->n) {
    return dls_fail(err, DLS_ERR_PARSE, "%.120s: entry %zu of /fclib_local/W is at (%d, %d) of %d rows",
                    r->name, k, row, column, s->n);
  }
  table->entries[k] = (dls_market_entry){.row = (size_t)row, .column = (size_t)column, .value = s->x[k]};
  return DLS_OK;
}

/* By triplets, columns, or rows. */
static dls_status list_entries(const reader *r, const storage *s, dls_market *table, dls_error *err)
{
  dls_status status = DLS_OK;
  for (size_t k = 0; s->nz >= 0 && k < s->entries && status == DLS_OK; k++) {
    status = put_entry(r, s, k, s->p[k], s->i[k], table, err);
  }
  for (int j = 0; s->nz < 0 && j < s->n; j++) {
    for (int k = s->p[j]; k < s->p[j + 1] && status == DLS_OK; k++) {
      status = put_entry(r, s, (size_t)k, s->nz == -1 ? s->i[k] : j, s->nz == -1 ? j : s->i[k], table, err);
    }
  }
  return status;
}

static dls_status set_W(const reader *r, const storage *s, dls_error *err)
{
  const dls_market_entry *twice = NULL;
  dls_market *table = calloc(1, sizeof *table);
  if (table != NULL) {
    table->rows = table->columns = (size_t)s->n;
    table->count = s->entries;
    table->entries = calloc(s->entries + 1, sizeof *table->entries);
  }
  dls_status status = table == NULL || table->entries == NULL
                          ? dls_fail(err, DLS_ERR_MEMORY, "no memory for %zu entries of W", s->entries)
                          : list_entries(r, s, table, err);
  status = status != DLS_OK ? status : dls_contact_file_set_W(r->problem, table, &twice, err);
  if (twice != NULL) {
    status = dls_fail(err, DLS_ERR_PARSE, "%.120s: /fclib_local/W has the entry (%zu, %zu) twice", r->name,
                      twice->row, twice->column);
  }
  dls_market_destroy(table);
  return status;
}

static dls_status read_W(const reader *r, int n, dls_error *err)
{
  storage s = {.n = n};
  dls_status status = read_storage(r, &s, err);
  status = status != DLS_OK ? status : set_W(r, &s, err);
  free(s.p);
  free(s.i);
  free(s.x);
  return status;
}

/* Kind of FCLIB problem. */
static dls_status check_kind(const reader *r, dls_error *err)
{
  if (!there(r, "/fclib_local")) {
    return dls_fail(err, DLS_ERR_NOT_APPLICABLE,
                    there(r, "/fclib_global")
                        ? "%.120s holds a global problem (fclib_global: M, H, f, w), not W and q; convert it "
                          "to the local form, W = H^T M^-1 H and q = H^T M^-1 f + w"
                        : "%.120s is not an FCLIB problem: /fclib_local is missing",
                    r->name);
  }
  if (there(r, "/fclib_local/V") || there(r, "/fclib_local/R")) {
    return dls_fail(
        err, DLS_ERR_NOT_APPLICABLE,
        "%.120s holds a mixed problem, with joints (fclib_local/V, R, vectors/s), which is not supported",
        r->name);
  }
  return DLS_OK;
}

static dls_status read_sizes(const reader *r, int *n, dls_error *err)
{
  int dim = 0, columns = 0;
  dls_status status = read_integer(r, "/fclib_local/spacedim", 2, 3, &dim, err);
  if (status == DLS_OK) {
    status = read_integer(r, "/fclib_local/W/m", 1, 3 * MOST_CONTACTS, n, err);
  }
  if (status == DLS_OK) {
    status = read_integer(r, "/fclib_local/W/n", *n, *n, &columns, err);
  }
  if (status == DLS_OK && *n % dim != 0) {
    return dls_fail(err, DLS_ERR_PARSE, "%.120s: /fclib_local/W/m = %d is not a multiple of spacedim = %d",
                    r->name, *n, dim);
  }
  r->problem->dim = (size_t)dim;
  r->problem->contacts = status == DLS_OK ? (size_t)(*n / dim) : 0;
  return status;
}

static dls_status read_vectors(const reader *r, dls_error *err)
{
  dls_contact_file *file = r->problem;
  const size_t n = file->dim * file->contacts;
  dls_status status = read_numbers(r, "/fclib_local/vectors/q", n, -HUGE_VAL, file->q, err);
  if (status == DLS_OK) { /* u is unused so far */
    status = read_numbers(r, "/fclib_local/vectors/mu", file->contacts, 0, file->u, err);
  }
  for (size_t k = 0; k < file->contacts; k++) {
    file->blocks[k].mu = file->u[k];
  }
  memset(file->u, 0, n * sizeof *file->u);
  return status == DLS_OK && there(r, "/guesses/1/r")
             ? read_numbers(r, "/guesses/1/r", n, -HUGE_VAL, file->r, err)
             : status;
}

static dls_status read_problem(const reader *r, dls_error *err)
{
  int n = 0;
  dls_status status = check_kind(r, err);
  if (status != DLS_OK || (status = read_sizes(r, &n, err)) != DLS_OK) {
    return status;
  }
  status = dls_contact_file_room(r->problem, err);
  if (status != DLS_OK || (status = read_vectors(r, err)) != DLS_OK) {
    return status;
  }
  return read_W(r, n, err);
}

dls_status dls_fclib_read(const char *path, dls_contact_file **out, dls_error *err)
{
  reader r = {.name = path};
  *out = NULL;
  dls_status status = dls_hdf5_load(&r.h, err);
  if (status != DLS_OK) {
    return status;
  }
  r.problem = calloc(1, sizeof *r.problem);
  r.file = r.problem != NULL ? r.h.H5Fopen_(path, READ_ONLY, H5P_DEFAULT) : -1;
  status = r.problem == NULL ? dls_fail(err, DLS_ERR_MEMORY, "no memory for a contact problem")
           : r.file < 0      ? dls_fail(err, DLS_ERR_PARSE, "%.150s: HDF5 cannot read this file", path)
                             : read_problem(&r, err);
  if (r.file >= 0) {
    r.h.H5Fclose_(r.file);
  }
  dls_hdf5_unload(&r.h);
  if (status != DLS_OK) {
    dls_contact_file_destroy(r.problem);
    return status;
  }
  *out = r.problem;
  return DLS_OK;
}
