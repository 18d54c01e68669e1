/* experiments/catalogue/plugin_file.c -- is the file of a plugin complete? The loader maps what the headers of a shared
 * object announce; where the file is shorter the process dies by SIGBUS.
 * Source: System V ABI, "Object Files": e_phoff + e_phnum e_phentsize, p_offset + p_filesz and e_shoff + e_shnum e_shentsize
 * lie within the file.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/catalogue/plugin_check.h"

#ifdef __ELF__

#include <elf.h>
#include <errno.h>
#include <link.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static dls_status cut(const char *path, uint64_t size, uint64_t needed, dls_error *err)
{
  return dls_fail(err, DLS_ERR_ARG,
                  "plugin %.150s is cut: it has %llu bytes, its headers speak of %llu; copy or build it again",
                  path, (unsigned long long)size, (unsigned long long)needed);
}

static uint64_t larger(uint64_t a, uint64_t b)
{
  return a > b ? a : b;
}

/* The end of what is to be loaded. @return false if a header cannot be read */
static bool end_of_segments(FILE *file, const ElfW(Ehdr) * head, uint64_t *end)
{
  bool good = fseek(file, (long)head->e_phoff, SEEK_SET) == 0;
  for (size_t i = 0; i < head->e_phnum && good; i++) {
    ElfW(Phdr) segment;
    good = fread(&segment, sizeof segment, 1, file) == 1;
    *end = good && segment.p_type != PT_NULL ? larger(*end, segment.p_offset + segment.p_filesz) : *end;
  }
  return good;
}

static dls_status check_object(FILE *file, const char *path, uint64_t size, dls_error *err)
{
  ElfW(Ehdr) head;
  if (fread(&head, sizeof head, 1, file) != 1 || memcmp(head.e_ident, ELFMAG, SELFMAG) != 0 ||
      head.e_phentsize != sizeof(ElfW(Phdr))) {
    return DLS_OK; /* no shared object of this machine: the loader says so */
  }
  uint64_t end = larger(head.e_phoff + (uint64_t)head.e_phnum * head.e_phentsize,
                        head.e_shoff + (uint64_t)head.e_shnum * head.e_shentsize);
  if (end > size) {
    return cut(path, size, end, err);
  }
  if (!end_of_segments(file, &head, &end)) {
    return dls_fail(err, DLS_ERR_ARG, "plugin %.150s cannot be read", path);
  }
  return end > size ? cut(path, size, end, err) : DLS_OK;
}

dls_status dls_plugin_check_file(const char *path, dls_error *err)
{
  struct stat info;
  FILE *file = stat(path, &info) == 0 && S_ISREG(info.st_mode) ? fopen(path, "rb") : NULL;
  if (file == NULL) {
    return DLS_OK; /* the loader says why */
  }
  const dls_status status = check_object(file, path, (uint64_t)info.st_size, err);
  fclose(file);
  return status;
}

#else

dls_status dls_plugin_check_file(const char *path, dls_error *err)
{
  (void)path;
  (void)err;
  return DLS_OK;
}

#endif
