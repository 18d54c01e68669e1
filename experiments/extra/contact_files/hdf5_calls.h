/* hdf5_calls.h -- the calls of HDF5 that FCLIB files need. The library is loaded at the first such file and not linked,
 * because it would load three dozen libraries at every start of the tool.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_HDF5_CALLS_H
#define DELASSUS_EXPERIMENTS_HDF5_CALLS_H

#include <delassus/error.h>
#include <hdf5.h>

#define DLS_HDF5_CALLS(X)                                                                                      \
  X(H5open)                                                                                                    \
  X(H5Eset_auto2)                                                                                              \
  X(H5Fopen)                                                                                                   \
  X(H5Fcreate)                                                                                                 \
  X(H5Fflush)                                                                                                  \
  X(H5Fget_file_image)                                                                                         \
  X(H5Fget_name)                                                                                               \
  X(H5Fclose)                                                                                                  \
  X(H5Pcreate)                                                                                                 \
  X(H5Pset_fapl_core)                                                                                          \
  X(H5Pclose)                                                                                                  \
  X(H5Lexists)                                                                                                 \
  X(H5Gcreate2)                                                                                                \
  X(H5Gclose)                                                                                                  \
  X(H5Dopen2)                                                                                                  \
  X(H5Dcreate2)                                                                                                \
  X(H5Dget_space)                                                                                              \
  X(H5Dget_create_plist)                                                                                       \
  X(H5Pget_layout)                                                                                             \
  X(H5Pget_external_count)                                                                                     \
  X(H5PLget_loading_state)                                                                                     \
  X(H5PLset_loading_state)                                                                                     \
  X(H5Dread)                                                                                                   \
  X(H5Dwrite)                                                                                                  \
  X(H5Dclose)                                                                                                  \
  X(H5Screate_simple)                                                                                          \
  X(H5Sget_simple_extent_npoints)                                                                              \
  X(H5Sget_simple_extent_ndims)                                                                                \
  X(H5Sselect_hyperslab)                                                                                       \
  X(H5Sclose)

typedef struct dls_hdf5 {
  void *library;
#define DLS_HDF5_CALL(name) __typeof__(&name) name##_;
  DLS_HDF5_CALLS(DLS_HDF5_CALL)
#undef DLS_HDF5_CALL
  hid_t whole, real, file_access; /* types int and double; the class of a file's access properties */
  unsigned plugins;               /* plugins that HDF5 would load; none while a file is read */
} dls_hdf5;

/* @return DLS_OK; DLS_ERR_NOT_APPLICABLE if the library is missing, with what to install */
dls_status dls_hdf5_load(dls_hdf5 *h, dls_error *err);
void dls_hdf5_unload(dls_hdf5 *h);

#endif
