/* test_arrays.c -- arrays cut out of one block: zeros, side by side, none overlapping.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "common/base/arrays.h"
#include "common/base/memory.h"
#include "common/linear/storage.h"
#include <delassus/matrix.h>
#include <stdint.h>
#include <stdlib.h>

DLS_TEST(arrays_are_zeros_side_by_side)
{
  double *a = NULL, *b = NULL, *c = NULL, *none = NULL;
  double *block = dls_arrays((const dls_slot[]){{3, {&a, &b}}, {0, {&none}}, {2, {&c}}, {0}});
  assert_non_null(block);
  assert_ptr_equal(a, block);
  assert_ptr_equal(b, block + 3);
  assert_ptr_equal(none, block + 6);
  assert_ptr_equal(c, block + 6);
  for (size_t i = 0; i < 8; i++) {
    assert_close(block[i], 0, 0);
  }
  free(block);
}

DLS_TEST(as_many_arrays_as_a_slot_has)
{
  double *x[DLS_SLOT_MOST] = {NULL}, *last = NULL;
  const dls_slot full = {2,
                         {&x[0], &x[1], &x[2], &x[3], &x[4], &x[5], &x[6], &x[7], &x[8], &x[9], &x[10], &x[11],
                          &x[12], &x[13], &x[14], &x[15]}};
  double *block = dls_arrays((const dls_slot[]){full, {1, {&last}}, {0}});
  assert_non_null(block);
  for (size_t i = 0; i < DLS_SLOT_MOST; i++) {
    assert_ptr_equal(x[i], block + 2 * i);
  }
  assert_ptr_equal(last, block + 2 * DLS_SLOT_MOST);
  free(block);
}

DLS_TEST(sizes_that_are_too_large_find_no_memory)
{
  assert_int_equal(dls_size_product(0, SIZE_MAX), 0);
  assert_int_equal(dls_size_product(SIZE_MAX / 2, 2), SIZE_MAX - 1);
  assert_int_equal(dls_size_product(SIZE_MAX / 2 + 1, 2), SIZE_MAX);
  assert_int_equal(dls_size_sum(SIZE_MAX - 1, 1), SIZE_MAX);
  assert_int_equal(dls_size_sum(SIZE_MAX, SIZE_MAX), SIZE_MAX);
  double *x = NULL, *y = NULL;
  assert_null(
      dls_arrays((const dls_slot[]){{SIZE_MAX / 2 + 1, {&x, &y}}, {0}})); /* their sum is 0 in a size_t */
  const size_t order = (size_t)1 << (4 * sizeof(size_t));                 /* its square, too */
  assert_null(dls_matrix_dense(order, order));
  assert_null(dls_matrix_band_for_lu(order, order / 2, order / 2));
}

DLS_TEST(arrays_change_places)
{
  double numbers[2], *x = numbers, *y = numbers + 1;
  dls_swap(&x, &y);
  assert_ptr_equal(x, numbers + 1);
  assert_ptr_equal(y, numbers);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(arrays_are_zeros_side_by_side),
      cmocka_unit_test(as_many_arrays_as_a_slot_has),
      cmocka_unit_test(sizes_that_are_too_large_find_no_memory),
      cmocka_unit_test(arrays_change_places),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
