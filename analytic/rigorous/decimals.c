/* analytic/rigorous/decimals.c -- see decimals.h.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "analytic/rigorous/decimals.h"
#include <stdlib.h>
#include <string.h>

char *dls_ball_decimal(const arf_t x, ulong places, arf_rnd_t round)
{
  fmpz_t z;
  arf_t scaled;
  fmpz_init(z);
  arf_init(scaled);
  fmpz_ui_pow_ui(z, 10, places);
  arf_mul_fmpz(scaled, x, z, ARF_PREC_EXACT, ARF_RND_DOWN);
  arf_get_fmpz(z, scaled, round);
  const int sign = fmpz_sgn(z);
  fmpz_abs(z, z);
  char *digits = fmpz_get_str(NULL, 10, z);
  const size_t length = strlen(digits), zeros = length > places ? 0 : places + 1 - length;
  char *text = calloc(length + zeros + 3, 1), *to = text;
  if (text != NULL && sign == 0) {
    *to = '0';
  } else if (text != NULL) { /* zeros in front, so that one digit at least stands before the point */
    to += sign < 0 ? (*to = '-', 1) : 0;
    memset(to, '0', zeros);
    memcpy(to + zeros, digits, length);
    const size_t whole = zeros + length - places;
    memmove(to + whole + 1, to + whole, places);
    to[whole] = places > 0 ? '.' : '\0';
  }
  flint_free(digits);
  fmpz_clear(z);
  arf_clear(scaled);
  return text;
}
