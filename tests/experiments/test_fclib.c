/* test_fclib.c -- FCLIB's files, both ways: what HDF5's library has written is read, what we write is read by it.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "experiments/extra/contact_files/hdf5_calls.h"
#include <delassus/contact_file.h>
#include <hdf5.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char path[] = "test_fclib.hdf5";
/* Two contacts in the plane, W neither symmetric nor full. */
static const double W[16] = {2, 0, 0.5, 0, 0.25, 3, 0, 0, 0, 0, 2, 0, 0, -0.5, 0.125, 3}; /* column-major */
static const double q[4] = {-1, 3, -2, 0.5}, mu[2] = {0.5, 0.25}, guess[4] = {1, 0.5, 0, 0};

/* A file with some things put wrong. */
typedef struct flaw {
  const char *said; /* part of the message */
  const char *left_out, *added;
  int spacedim, nz, first_row;
  double first_q, first_mu;
} flaw;

static const flaw none = {.spacedim = 2, .nz = -1, .first_q = -1, .first_mu = 0.5};

static void group(hid_t file, const char *name)
{
  H5Gclose(H5Gcreate2(file, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
}

static void put(hid_t file, const flaw *f, const char *name, hid_t type, size_t count, const void *x)
{
  if (f->left_out != NULL && strcmp(name, f->left_out) == 0) {
    return;
  }
  const hsize_t size = count;
  const hid_t space = H5Screate_simple(1, &size, NULL),
              data = H5Dcreate2(file, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  assert_true(data >= 0 && H5Dwrite(data, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, x) >= 0);
  H5Dclose(data);
  H5Sclose(space);
}

/* nz of the file's W: its entries as triplets (>= 0), compressed columns (-1) or rows (-2). */
static void put_W(hid_t file, const flaw *f)
{
  const int n = 4;
  int p[16] = {0}, i[16], entries = 0;
  double x[16];
  for (int a = 0; a < n; a++) {
    for (int b = 0; b < n; b++) {
      const int row = f->nz == -1 ? b : a, column = f->nz == -1 ? a : b;
      if (W[row + n * column] != 0) {
        x[entries] = W[row + n * column];
        i[entries] = f->nz == -1 ? row : column;
        p[f->nz >= 0 ? entries : a + 1] = f->nz >= 0 ? row : entries + 1;
        entries++;
      }
    }
  }
  i[0] += f->first_row;
  const int nz = f->nz >= 0 ? entries : f->nz;
  group(file, "/fclib_local/W");
  put(file, f, "/fclib_local/W/nzmax", H5T_NATIVE_INT, 1, &entries);
  put(file, f, "/fclib_local/W/m", H5T_NATIVE_INT, 1, &n);
  put(file, f, "/fclib_local/W/n", H5T_NATIVE_INT, 1, &n);
  put(file, f, "/fclib_local/W/nz", H5T_NATIVE_INT, 1, &nz);
  put(file, f, "/fclib_local/W/p", H5T_NATIVE_INT, f->nz >= 0 ? (size_t)entries : 5, p);
  put(file, f, "/fclib_local/W/i", H5T_NATIVE_INT, (size_t)entries, i);
  put(file, f, "/fclib_local/W/x", H5T_NATIVE_DOUBLE, (size_t)entries, x);
}

static void write_file(const flaw *f, bool guessed)
{
  const double loads[4] = {f->first_q, q[1], q[2], q[3]}, frictions[2] = {f->first_mu, mu[1]};
  const int one = 1;
  const hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  group(file, "/fclib_local");
  put(file, f, "/fclib_local/spacedim", H5T_NATIVE_INT, 1, &f->spacedim);
  put_W(file, f);
  group(file, "/fclib_local/vectors");
  put(file, f, "/fclib_local/vectors/q", H5T_NATIVE_DOUBLE, 4, loads);
  put(file, f, "/fclib_local/vectors/mu", H5T_NATIVE_DOUBLE, 2, frictions);
  if (guessed) {
    group(file, "/guesses");
    put(file, f, "/guesses/number_of_guesses", H5T_NATIVE_INT, 1, &one);
    group(file, "/guesses/1");
    put(file, f, "/guesses/1/r", H5T_NATIVE_DOUBLE, 4, guess);
  }
  if (f->added != NULL) {
    group(file, f->added);
  }
  H5Fclose(file);
}

static void assert_is_the_problem(const dls_contact_file *file, bool guessed)
{
  assert_int_equal(file->dim, 2);
  assert_int_equal(file->contacts, 2);
  for (size_t k = 0; k < 2; k++) {
    assert_int_equal(file->blocks[k].law, DLS_COULOMB);
    assert_true(file->blocks[k].mu == mu[k]);
  }
  for (size_t i = 0; i < 4; i++) {
    assert_true(file->q[i] == q[i] && file->u[i] == 0 && file->r[i] == (guessed ? guess[i] : 0));
    for (size_t j = 0; j < 4; j++) {
      assert_true(dls_matrix_get(file->W, i, j) == W[i + 4 * j]);
    }
  }
}

DLS_TEST(columns_rows_and_triplets_are_read)
{
  static const int forms[] = {-1, -2, 0};
  for (size_t k = 0; k < 6; k++) {
    flaw form = none;
    dls_contact_file *file = NULL;
    dls_error err = {0};
    form.nz = forms[k / 2];
    write_file(&form, k % 2 == 1);
    assert_ok(dls_contact_file_read(path, &file, &err), err);
    assert_is_the_problem(file, k % 2 == 1);
    dls_contact_file_destroy(file);
  }
  unlink(path);
}

static void get(hid_t file, const char *name, hid_t type, size_t count, void *x)
{
  const hid_t data = H5Dopen2(file, name, H5P_DEFAULT), space = H5Dget_space(data);
  assert_true(data >= 0);
  assert_int_equal(H5Sget_simple_extent_npoints(space), count);
  assert_true(H5Dread(data, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, x) >= 0);
  H5Sclose(space);
  H5Dclose(data);
}

/* As FCLIB reads them: compressed columns, a guess, then a solution. */
DLS_TEST(what_is_written_is_read_by_the_library)
{
  dls_contact_file *file = NULL, *again = NULL;
  dls_error err = {0};
  write_file(&none, true);
  assert_ok(dls_contact_file_read(path, &file, &err), err);
  for (int answered = 0; answered < 2; answered++) {
    const dls_problem_report report = {.method = "auto"};
    FILE *out = fopen(path, "wb");
    assert_ok(dls_contact_file_write_fclib(out, file, answered ? &report : NULL, &err), err);
    fclose(out);
    const hid_t in = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    int n = 0, p[5], i[8];
    double x[8], r[4];
    assert_true(in >= 0);
    get(in, "/fclib_local/spacedim", H5T_NATIVE_INT, 1, &n);
    assert_int_equal(n, 2);
    get(in, "/fclib_local/W/nz", H5T_NATIVE_INT, 1, &n);
    assert_int_equal(n, -1);
    get(in, "/fclib_local/W/nzmax", H5T_NATIVE_INT, 1, &n);
    assert_int_equal(n, 8);
    get(in, "/fclib_local/W/p", H5T_NATIVE_INT, 5, p);
    get(in, "/fclib_local/W/i", H5T_NATIVE_INT, 8, i);
    get(in, "/fclib_local/W/x", H5T_NATIVE_DOUBLE, 8, x);
    for (size_t j = 0; j < 4; j++) {
      for (int e = p[j]; e < p[j + 1]; e++) {
        assert_true(x[e] == W[(size_t)i[e] + 4 * j] && x[e] != 0);
      }
    }
    get(in, answered ? "/solution/r" : "/guesses/1/r", H5T_NATIVE_DOUBLE, 4, r);
    assert_memory_equal(r, guess, sizeof r);
    H5Fclose(in);
    assert_ok(dls_contact_file_read(path, &again, &err), err);
    assert_is_the_problem(again, !answered); /* a solution is no guess */
    dls_contact_file_destroy(again);
  }
  dls_contact_file_destroy(file);
  unlink(path);
}

DLS_TEST(what_is_no_problem_is_refused_by_name)
{
  const flaw flaws[] = {
      {"is not an FCLIB problem: /fclib_local is missing", "", NULL, 0, 0, 0, 0, 0},
      {"a global problem (fclib_global", "", "/fclib_global", 0, 0, 0, 0, 0},
      {"a mixed problem, with joints", NULL, "/fclib_local/V", 2, -1, 0, -1, 0.5},
      {"no /fclib_local/vectors/mu", "/fclib_local/vectors/mu", NULL, 2, -1, 0, -1, 0.5},
      {"no /fclib_local/W/nz", "/fclib_local/W/nz", NULL, 2, -1, 0, -1, 0.5},
      {"/fclib_local/spacedim = 1 is outside [2, 3]", NULL, NULL, 1, -1, 0, -1, 0.5},
      {"/fclib_local/W/m = 4 is not a multiple of spacedim = 3", NULL, NULL, 3, -1, 0, -1, 0.5},
      {"/fclib_local/W/nz = -3 is outside [-2,", NULL, NULL, 2, -3, 0, -1, 0.5},
      {"is at (4, 0) of 4 rows", NULL, NULL, 2, -1, 4, -1, 0.5},
      {"is at (-1, 0) of 4 rows", NULL, NULL, 2, -1, -1, -1, 0.5},
      {"has the entry (2, 0) twice", NULL, NULL, 2, -1, 2, -1, 0.5},
      {"/fclib_local/vectors/q[0] = nan is not finite", NULL, NULL, 2, -1, 0, NAN, 0.5},
      {"/fclib_local/vectors/mu[0] = -0.5 is below 0", NULL, NULL, 2, -1, 0, -1, -0.5},
  };
  for (size_t k = 0; k < sizeof flaws / sizeof *flaws; k++) {
    dls_contact_file *file = NULL;
    dls_error err = {0};
    if (flaws[k].spacedim > 0) {
      write_file(&flaws[k], false);
    } else {
      const hid_t empty = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
      group(empty, flaws[k].added != NULL ? flaws[k].added : "/something");
      H5Fclose(empty);
    }
    assert_int_not_equal(dls_contact_file_read(path, &file, &err), DLS_OK);
    if (strstr(err.text, flaws[k].said) == NULL || strstr(err.text, path) == NULL) {
      fail_msg("'%s' is not in '%s'", flaws[k].said, err.text);
    }
    assert_null(file);
  }
  unlink(path);
}

/* Take q away from the file, and open it. */
static hid_t without_loads(void)
{
  write_file(&none, false);
  const hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
  assert_true(file >= 0 && H5Ldelete(file, "/fclib_local/vectors/q", H5P_DEFAULT) >= 0);
  return file;
}

DLS_TEST(numbers_of_other_files_are_not_read)
{
  static const char other[] = "test_fclib_other.hdf5",
                    message[] =
                        "test_fclib.hdf5: the numbers of /fclib_local/vectors/q are not stored in this file";
  dls_contact_file *problem = NULL;
  dls_error err = {0};
  const hsize_t size = 4;
  write_file(&none, false);
  assert_int_equal(rename(path, other), 0);
  hid_t file = without_loads(); /* a link to the same numbers there */
  assert_true(H5Lcreate_external(other, "/fclib_local/vectors/q", file, "/fclib_local/vectors/q", H5P_DEFAULT,
                                 H5P_DEFAULT) >= 0);
  H5Fclose(file);
  assert_int_equal(dls_contact_file_read(path, &problem, &err), DLS_ERR_PARSE);
  assert_string_equal(err.text, message);
  file = without_loads(); /* storage in another file */
  const hid_t storage = H5Pcreate(H5P_DATASET_CREATE), space = H5Screate_simple(1, &size, NULL);
  assert_true(H5Pset_external(storage, other, 0, size * sizeof(double)) >= 0);
  const hid_t data =
      H5Dcreate2(file, "/fclib_local/vectors/q", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, storage, H5P_DEFAULT);
  assert_true(data >= 0);
  H5Dclose(data);
  H5Sclose(space);
  H5Pclose(storage);
  H5Fclose(file);
  assert_int_equal(dls_contact_file_read(path, &problem, &err), DLS_ERR_PARSE);
  assert_string_equal(err.text, message);
  unlink(other);
}

DLS_TEST(no_plugin_of_hdf5_is_loaded)
{
  unsigned before = 0, now = 1;
  dls_hdf5 h;
  assert_true(H5PLget_loading_state(&before) >= 0);
  assert_int_equal(dls_hdf5_load(&h, NULL), DLS_OK);
  assert_true(H5PLget_loading_state(&now) >= 0);
  assert_int_equal(now, 0);
  dls_hdf5_unload(&h);
  assert_true(H5PLget_loading_state(&now) >= 0);
  assert_int_equal(now, before);
}

DLS_TEST(files_that_are_cut_off_are_refused)
{
  char bytes[4096];
  dls_contact_file *file = NULL;
  dls_error err = {0};
  write_file(&none, false);
  FILE *whole = fopen(path, "rb");
  const size_t size = fread(bytes, 1, sizeof bytes, whole);
  fclose(whole);
  for (size_t part = 8; part < size; part += size / 7) {
    FILE *out = fopen(path, "wb");
    fwrite(bytes, 1, part, out);
    fclose(out);
    assert_int_equal(dls_contact_file_read(path, &file, &err), DLS_ERR_PARSE);
    assert_non_null(strstr(err.text, path));
  }
  unlink(path);
}

DLS_TEST(contacts_without_tangents_have_no_place)
{
  dls_contact_file file = {.dim = 1, .contacts = 1};
  dls_error err = {0};
  assert_int_equal(dls_contact_file_write_fclib(stdout, &file, NULL, &err), DLS_ERR_NOT_APPLICABLE);
  assert_non_null(strstr(err.text, "2 or 3 rows"));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(columns_rows_and_triplets_are_read),
      cmocka_unit_test(what_is_written_is_read_by_the_library),
      cmocka_unit_test(what_is_no_problem_is_refused_by_name),
      cmocka_unit_test(numbers_of_other_files_are_not_read),
      cmocka_unit_test(no_plugin_of_hdf5_is_loaded),
      cmocka_unit_test(files_that_are_cut_off_are_refused),
      cmocka_unit_test(contacts_without_tangents_have_no_place),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
