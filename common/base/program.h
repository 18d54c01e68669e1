/* program.h -- where the running program is.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_COMMON_PROGRAM_H
#define DELASSUS_COMMON_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>

/* The folder of the running program, without the last slash. @return false where the system does not tell */
bool dls_program_folder(char *folder, size_t size);

#endif
