/* target.h -- what every fuzz target needs: its entry, and a demand that a fuzzer takes for a crash.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_TESTS_FUZZ_TARGET_H
#define DELASSUS_TESTS_FUZZ_TARGET_H

#define _GNU_SOURCE /* memfd_create */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static inline void demand(bool holds)
{
  if (!holds) {
    abort();
  }
}

enum { SCRATCH_PATH = 32 };

/* Put size bytes into a file in memory, made at the first call; path opens it anew. */
static inline void scratch_write(FILE **file, const uint8_t *data, size_t size, char path[SCRATCH_PATH])
{
  if (*file == NULL) {
    *file = fdopen(memfd_create("input", MFD_CLOEXEC), "w+b");
    demand(*file != NULL);
  }
  rewind(*file);
  demand(ftruncate(fileno(*file), 0) == 0);
  demand((size == 0 || fwrite(data, 1, size, *file) == size) && fflush(*file) == 0);
  snprintf(path, SCRATCH_PATH, "/dev/fd/%d", fileno(*file));
}

#endif
