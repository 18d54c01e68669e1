/* check.h -- assertions in double precision that print what they compared.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_TESTS_CHECK_H
#define DELASSUS_TESTS_CHECK_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* A test for cmocka_unit_test that needs no state of its group. */
#define DLS_TEST(name) static void name(void **state __attribute__((unused)))

/* |actual - expected| <= tolerance (absolute); NaN fails. */
#define assert_close(actual, expected, tolerance)                                                              \
  dls_check_close((actual), (expected), (tolerance), #actual, __FILE__, __LINE__)
/* low <= actual <= high; NaN fails. */
#define assert_between(actual, low, high)                                                                      \
  dls_check_between((actual), (low), (high), #actual, __FILE__, __LINE__)
/* status == DLS_OK, or print err.text and fail. */
#define assert_ok(status, err) dls_check_ok((status), (err).text, #status, __FILE__, __LINE__)

/* How many cases a loop has, here and with sanitizers, where each takes several times as long. */
#ifdef __SANITIZE_ADDRESS__
#define DLS_TEST_CASES(all, sanitized) (sanitized)
#else
#define DLS_TEST_CASES(all, sanitized) (all)
#endif

void dls_check_close(double actual, double expected, double tolerance, const char *what, const char *file,
                     int line);
void dls_check_between(double actual, double low, double high, const char *what, const char *file, int line);
void dls_check_ok(int status, const char *text, const char *what, const char *file, int line);

#endif
