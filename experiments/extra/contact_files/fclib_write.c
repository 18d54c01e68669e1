/* fclib_write.c -- contact problems and their answers as FCLIB's files, see fclib_hdf5.c. The file is made in memory, so
 * that it is written completely or not at all.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/linear/storage.h"
#include "experiments/extra/contact_files/fclib.h"
#include "experiments/extra/contact_files/hdf5_calls.h"
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { TRUNCATE = 2 }; /* H5F_ACC_TRUNC, which would call the library */

typedef struct writer {
  dls_hdf5 h;
  hid_t file;
  bool good; /* no failure so far */
} writer;

static void make_group(writer *w, const char *path)
{
  const hid_t group = w->good ? w->h.H5Gcreate2_(w->file, path, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT) : -1;
  w->good = group >= 0;
  if (w->good) {
    w->h.H5Gclose_(group);
  }
}

static void put(writer *w, const char *path, hid_t type, size_t count, const void *x)
{
  if (!w->good) {
    return;
  }
  const hsize_t size = count;
  const hid_t space = w->h.H5Screate_simple_(1, &size, NULL);
  const hid_t data = w->h.H5Dcreate2_(w->file, path, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  w->good = data >= 0 && w->h.H5Dwrite_(data, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, x) >= 0;
  if (data >= 0) {
    w->h.H5Dclose_(data);
  }
  w->h.H5Sclose_(space);
}

static void put_integer(writer *w, const char *path, size_t n)
{
  const int x = (int)n;
  put(w, path, w->h.whole, 1, &x);
}

static void put_numbers(writer *w, const char *path, size_t count, const double *x)
{
  put(w, path, w->h.real, count, x);
}

/* Compressed columns of W. */
typedef struct columns {
  int *p, *i;
  double *x;
  bool count; /* first pass: count into p only */
} columns;

static void take_entry(void *data, size_t i, size_t j, double x)
{
  columns *c = data;
  if (x == 0) {
    return;
  }
  if (!c->count) {
    c->i[c->p[j]] = (int)i;
    c->x[c->p[j]] = x;
  }
  c->p[j + (c->count ? 1 : 0)]++;
}

/* From numbers of entries in p[1..n] to columns; p ends as after the sum. */
static bool compress(const dls_matrix *W, size_t n, columns *c)
{
  for (size_t j = 0; j < n; j++) {
    c->p[j + 1] += c->p[j];
  }
  c->i = malloc(((size_t)c->p[n] + 1) * sizeof *c->i);
  c->x = malloc(((size_t)c->p[n] + 1) * sizeof *c->x);
  if (c->i == NULL || c->x == NULL) {
    return false;
  }
  c->count = false;
  dls_matrix_visit(W, take_entry, c);
  memmove(c->p + 1, c->p, n * sizeof *c->p); /* each now points to the begin of the next */
  c->p[0] = 0;
  return true;
}

static void put_columns(writer *w, size_t n, const columns *c)
{
  static const int compressed_columns = -1;
  const size_t entries = (size_t)c->p[n];
  make_group(w, "/fclib_local/W");
  put_integer(w, "/fclib_local/W/nzmax", entries);
  put_integer(w, "/fclib_local/W/m", n);
  put_integer(w, "/fclib_local/W/n", n);
  put(w, "/fclib_local/W/nz", w->h.whole, 1, &compressed_columns);
  put(w, "/fclib_local/W/p", w->h.whole, n + 1, c->p);
  put(w, "/fclib_local/W/i", w->h.whole, entries, c->i);
  put_numbers(w, "/fclib_local/W/x", entries, c->x);
}

static void put_W(writer *w, const dls_contact_file *file)
{
  const size_t n = file->dim * file->contacts;
  columns c = {.p = calloc(n + 1, sizeof *c.p), .count = true};
  if (c.p != NULL) {
    dls_matrix_visit(file->W, take_entry, &c);
  }
  w->good = w->good && c.p != NULL && compress(file->W, n, &c);
  if (w->good) {
    put_columns(w, n, &c);
  }
  free(c.p);
  free(c.i);
  free(c.x);
}

static void put_vectors(writer *w, const dls_contact_file *file)
{
  double *mu = malloc(file->contacts * sizeof *mu);
  w->good = w->good && mu != NULL;
  for (size_t k = 0; w->good && k < file->contacts; k++) {
    mu[k] = file->blocks[k].mu;
  }
  make_group(w, "/fclib_local/vectors");
  put_numbers(w, "/fclib_local/vectors/q", file->dim * file->contacts, file->q);
  put_numbers(w, "/fclib_local/vectors/mu", file->contacts, mu);
  free(mu);
}

/* u and r of the answer, or of the guess. */
static void put_forces(writer *w, const dls_contact_file *file, const char *u, const char *r)
{
  const size_t n = file->dim * file->contacts;
  put_numbers(w, u, n, file->u);
  put_numbers(w, r, n, file->r);
}

static void put_problem(writer *w, const dls_contact_file *file, bool answered)
{
  make_group(w, "/fclib_local");
  put_integer(w, "/fclib_local/spacedim", file->dim);
  put_W(w, file);
  put_vectors(w, file);
  if (answered) {
    make_group(w, "/solution");
    put_forces(w, file, "/solution/u", "/solution/r");
  } else {
    make_group(w, "/guesses");
    put_integer(w, "/guesses/number_of_guesses", 1);
    make_group(w, "/guesses/1");
    put_forces(w, file, "/guesses/1/u", "/guesses/1/r");
  }
  w->good = w->good && w->h.H5Fflush_(w->file, H5F_SCOPE_GLOBAL) >= 0;
}

/* The file of a writer without failure, as bytes. @return false if out of memory, or if it cannot be written */
static bool pour(const writer *w, FILE *out)
{
  const ssize_t size = w->h.H5Fget_file_image_(w->file, NULL, 0);
  void *image = size > 0 ? malloc((size_t)size) : NULL;
  const bool done = image != NULL && w->h.H5Fget_file_image_(w->file, image, (size_t)size) == size &&
                    fwrite(image, 1, (size_t)size, out) == (size_t)size;
  free(image);
  return done;
}

/* A file in memory. */
static hid_t create(const dls_hdf5 *h)
{
  static const size_t grain = 1 << 16; /* bytes added when it grows */
  const hid_t access = h->H5Pcreate_(h->file_access);
  hid_t file = -1;
  if (access >= 0 && h->H5Pset_fapl_core_(access, grain, 0) >= 0) {
    file = h->H5Fcreate_("fclib", TRUNCATE, H5P_DEFAULT, access);
  }
  if (access >= 0) {
    h->H5Pclose_(access);
  }
  return file;
}

dls_status dls_contact_file_write_fclib(FILE *out, const dls_contact_file *file,
                                        const dls_problem_report *report, dls_error *err)
{
  writer w = {.good = true};
  if (file->dim < 2) {
    return dls_fail(err, DLS_ERR_NOT_APPLICABLE, "FCLIB's files hold contacts of 2 or 3 rows; these have 1");
  }
  if (dls_contact_file_is_associated(file)) {
    return dls_fail(
        err, DLS_ERR_NOT_APPLICABLE,
        "FCLIB's files have Coulomb's law; these contacts have the associated law, which text files can state");
  }
  const dls_status status = dls_hdf5_load(&w.h, err);
  if (status != DLS_OK) {
    return status;
  }
  errno = 0; /* the search for the library leaves an error */
  w.file = create(&w.h);
  w.good = w.file >= 0;
  if (w.good) {
    put_problem(&w, file, report != NULL);
    w.good = w.good && pour(&w, out);
    w.h.H5Fclose_(w.file);
  }
  dls_hdf5_unload(&w.h);
  return w.good ? DLS_OK
                : dls_fail(err, DLS_ERR_IO, "cannot write a problem of %zu contacts as HDF5: %s",
                           file->contacts, errno != 0 ? strerror(errno) : "HDF5 failed");
}
