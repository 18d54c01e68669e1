/* memory.c
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/base/memory.h"
#include <stdint.h>

size_t dls_size_product(size_t a, size_t b)
{
  return b > 0 && a > SIZE_MAX / b ? SIZE_MAX : a * b;
}

size_t dls_size_sum(size_t a, size_t b)
{
  return a > SIZE_MAX - b ? SIZE_MAX : a + b;
}
