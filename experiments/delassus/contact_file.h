/* delassus/contact_file.h -- contact problems in text files, and in those of FCLIB (HDF5).
 *
 *   # one box on a floor, two corners
 *   dim 2
 *   contacts 2
 *   mu 0.5 0.5
 *   q  -0.1 0.3  -0.1 0.3
 *   W 8
 *   0 0 2
 *   ...
 *
 * Keywords in any order behind `dim` and `contacts`, each once: `dim` rows of a contact (1: no friction, 2 or 3), `contacts`
 * their number m, `mu` m numbers (not with dim 1), `law` coulomb or associated (coulomb if not given), `q` dim m numbers, `W NNZ` with NNZ rows `i j value` counted from 0, order
 * N, T1, T2 inside a contact. Answers add `status` (m of 0 open, 1 closed or stick, 2 slip), `r`, `u` (dim m numbers each)
 * and `residual`; what a file has as `r` is the guess.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_CONTACT_FILE_H
#define DELASSUS_CONTACT_FILE_H

#include <delassus/error.h>
#include <delassus/matrix.h>
#include <delassus/problem.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct dls_contact_file {
  size_t dim, contacts;
  dls_block *blocks; /* contacts */
  double *q, *r, *u; /* dim contacts each; r and u are 0 unless the file has them */
  dls_matrix *W;     /* in the storage that fits */
} dls_contact_file;

/** Text, or a file of FCLIB (HDF5), told apart by their first bytes.
 * @return DLS_OK; DLS_ERR_PARSE with "file:line: what", or which array of the file; DLS_ERR_IO; DLS_ERR_NOT_APPLICABLE for HDF5 where
 *         the library is not there, or another of FCLIB's problems; DLS_ERR_MEMORY */
dls_status dls_contact_file_read(const char *path, dls_contact_file **out, dls_error *err);
/** The same from an open stream; name stands for the file in messages. */
dls_status dls_contact_file_parse(FILE *in, const char *name, dls_contact_file **out, dls_error *err);
void dls_contact_file_destroy(dls_contact_file *file); /* NULL is fine */
/** The problem, borrowed from the file. */
dls_problem dls_contact_file_problem(const dls_contact_file *file);
/**
 * A copy of any problem with r = guess (NULL: 0): contacts without friction among others get tangents that no force reaches.
 * @return DLS_OK; DLS_ERR_NOT_APPLICABLE for blocks that are held or have different laws of friction; DLS_ERR_MEMORY
 */
dls_status dls_contact_file_copy(const dls_problem *problem, const double *guess, dls_contact_file **out,
                                 dls_error *err);
/** Write the problem, with its guess where r (may be NULL) is not 0; with report (may be NULL) the answer in r and u. */
void dls_contact_file_write(FILE *out, const dls_contact_file *file, const dls_problem_report *report);
/**
 * The same as a file of FCLIB (HDF5): without report r and u are its guess, with it its solution.
 * @return DLS_OK; DLS_ERR_IO; DLS_ERR_NOT_APPLICABLE for dim 1, the associated law, or where the library is not there; DLS_ERR_MEMORY
 */
dls_status dls_contact_file_write_fclib(FILE *out, const dls_contact_file *file,
                                        const dls_problem_report *report, dls_error *err);

#ifdef __cplusplus
}
#endif

#endif
