/* page.c -- the module for pages. It exports the functions of delassus/flat.h; main runs when it is created.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <gsl/gsl_errno.h>

int main(void)
{
  gsl_set_error_handler_off(); /* the library checks what GSL returns */
  return 0;
}
