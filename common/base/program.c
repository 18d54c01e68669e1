/* program.c -- see program.h.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/base/program.h"

#include <string.h>
#include <unistd.h>

bool dls_program_folder(char *folder, size_t size)
{
  const ssize_t length = readlink("/proc/self/exe", folder, size - 1);
  if (length <= 0) {
    return false;
  }
  folder[length] = '\0';
  *strrchr(folder, '/') = '\0';
  return true;
}
