/* fclib_none.c -- FCLIB's files in a build without HDF5.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/extra/contact_files/fclib.h"

static const char lacking[] = "this build has no HDF5: install it (Debian: libhdf5-dev) and rebuild, or use "
                              "the text form of a contact problem";

dls_status dls_fclib_read(const char *path, dls_contact_file **out, dls_error *err)
{
  *out = NULL;
  return dls_fail(err, DLS_ERR_NOT_APPLICABLE, "%.150s is an HDF5 file; %s", path, lacking);
}

dls_status dls_fclib_check(dls_error *err)
{
  return dls_fail(err, DLS_ERR_NOT_APPLICABLE, "cannot write an HDF5 file; %s", lacking);
}

dls_status dls_contact_file_write_fclib(FILE *out, const dls_contact_file *file,
                                        const dls_problem_report *report, dls_error *err)
{
  (void)out;
  (void)file;
  (void)report;
  return dls_fclib_check(err);
}
