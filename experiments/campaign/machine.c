/* experiments/campaign/machine.c -- processor, compiler and load, as Linux reports them.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/campaign/machine.h"
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef __clang__
const char dls_machine_compiler[] = __VERSION__;
#else
const char dls_machine_compiler[] = "gcc " __VERSION__;
#endif

#ifdef DLS_COMMIT
const char dls_machine_commit[] = DLS_COMMIT;
#else
const char dls_machine_commit[] = "unknown";
#endif

/* The first bytes of a file of /proc, without an allocation; '' if it cannot be read. */
static void read_start(const char *path, char *text, size_t size)
{
  const int file = open(path, O_RDONLY | O_CLOEXEC);
  const ssize_t count = file >= 0 ? read(file, text, size - 1) : 0;
  text[count > 0 ? count : 0] = '\0';
  if (file >= 0) {
    close(file);
  }
}

void dls_machine_cpu(char *text, size_t size)
{
  char info[2048]; /* the first processor */
  read_start("/proc/cpuinfo", info, sizeof info);
  const char *line = strstr(info, "model name"), *colon = line != NULL ? strchr(line, ':') : NULL;
  const char *name = colon != NULL ? colon + 1 + strspn(colon + 1, " \t") : "unknown";
  snprintf(text, size, "%.*s", (int)strcspn(name, "\n"), name);
}

long dls_machine_processors(void)
{
  return sysconf(_SC_NPROCESSORS_ONLN);
}

double dls_machine_load(void)
{
  char text[64], *end = NULL;
  read_start("/proc/loadavg", text, sizeof text);
  const double load = strtod(text, &end);
  return end != text ? load : NAN;
}
