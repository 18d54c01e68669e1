/* fclib.h -- contact problems in FCLIB's files (HDF5): fclib_hdf5.c in builds with HDF5, else fclib_none.c. The writer
 * is dls_contact_file_write_fclib.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_FCLIB_H
#define DELASSUS_EXPERIMENTS_FCLIB_H

#include "common/models/matrix_market/market_table.h"
#include <delassus/contact_file.h>

/* @return as dls_contact_file_read */
dls_status dls_fclib_read(const char *path, dls_contact_file **out, dls_error *err);

/* Can such files be read and written? @return DLS_OK; DLS_ERR_NOT_APPLICABLE with what to install */
dls_status dls_fclib_check(dls_error *err);

/* Do its contacts obey the associated law? FCLIB's files have none. */
bool dls_contact_file_is_associated(const dls_contact_file *file);

/* contact_file.c: allocate the other arrays for `dim` and `contacts`. @return DLS_OK; DLS_ERR_MEMORY */
dls_status dls_contact_file_room(dls_contact_file *file, dls_error *err);
/* contact_file.c: W from these entries, which get sorted. @param[out] twice  a duplicate entry, then W is not set; else
 * NULL
 * @return DLS_OK; DLS_ERR_MEMORY */
dls_status dls_contact_file_set_W(dls_contact_file *file, dls_market *table, const dls_market_entry **twice,
                                  dls_error *err);

#endif
