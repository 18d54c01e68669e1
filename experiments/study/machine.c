/* experiments/study/machine.c -- processor, compiler and load, as Linux tells them.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/study/machine.h"
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
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

void dls_machine_cpu(char *text, size_t size)
{
  char line[DLS_CPU_ROOM + 20];
  bool found = false;
  FILE *info = fopen("/proc/cpuinfo", "r");
  snprintf(text, size, "unknown");
  while (info != NULL && !found && fgets(line, sizeof line, info) != NULL) {
    const char *colon = strchr(line, ':');
    found = strncmp(line, "model name", 10) == 0 && colon != NULL;
    if (found) {
      const char *name = colon + 1 + strspn(colon + 1, " \t");
      snprintf(text, size, "%.*s", (int)strcspn(name, "\n"), name);
    }
  }
  if (info != NULL) {
    fclose(info);
  }
}

long dls_machine_processors(void)
{
  return sysconf(_SC_NPROCESSORS_ONLN);
}

double dls_machine_load(void)
{
  double load = NAN;
  FILE *file = fopen("/proc/loadavg", "r");
  if (file != NULL) {
    if (fscanf(file, "%lf", &load) != 1) {
      load = NAN;
    }
    fclose(file);
  }
  return load;
}
