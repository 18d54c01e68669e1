/* scratch.h -- folders for the files of a test program: under $TMPDIR, else /tmp. They go with it, whatever became of its tests.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_TESTS_SCRATCH_H
#define DELASSUS_TESTS_SCRATCH_H

enum { DLS_TEST_PATH = 1200 }; /* room for the path of a file in such a folder */

/* A new, empty folder in `base`, or where base is NULL as above; fails the test if there is none. @return its absolute path */
const char *dls_test_folder(const char *base);
/* Its file `name`, which is not there yet. @return path */
const char *dls_test_file(const char *folder, const char *name, char path[DLS_TEST_PATH]);

#endif
