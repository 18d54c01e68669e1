/* main.c -- the tests of the four lower floors in one program for node: runs the one that the argument names. Each main() is renamed by
 * the build.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdio.h>
#include <string.h>

#define TEST(floor, module) int test_##floor##_##module(void);
#include "entries.h"
#undef TEST

static const struct test {
  const char *name;
  int (*run)(void);
} tests[] = {
#define TEST(floor, module) {#floor "." #module, test_##floor##_##module},
#include "entries.h"
};

/* Without an argument: print the names. */
int main(int argc, char **argv)
{
  for (size_t i = 0; i < sizeof tests / sizeof *tests; i++) {
    if (argc < 2)
      puts(tests[i].name);
    else if (strcmp(tests[i].name, argv[1]) == 0)
      return tests[i].run();
  }
  if (argc < 2)
    return 0;
  fprintf(stderr, "there is no test '%s'\n", argv[1]);
  return 2;
}
