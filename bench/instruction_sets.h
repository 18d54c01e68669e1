/* instruction_sets.h -- hand-written loops with the instruction set that the library picks for its batches (time_stepping/batch/advance.c), so
 * that a ratio compares algorithms and not vector widths. DLS_HAND_LOOP(name, parameters, arguments) defines name from an inline
 * function name_body with the same parameters.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_BENCH_INSTRUCTION_SETS_H
#define DELASSUS_BENCH_INSTRUCTION_SETS_H

#define BENCH_BODY static inline __attribute__((always_inline))

#ifdef __x86_64__
#define DLS_HAND_LOOP(name, parameters, arguments)                                                             \
  static __attribute__((noinline,                                                                              \
                        target("avx512f,avx512dq,prefer-vector-width=512"))) void name##_eight parameters      \
  {                                                                                                            \
    name##_body arguments;                                                                                     \
  }                                                                                                            \
  static __attribute__((noinline, target("avx2"))) void name##_four parameters                                 \
  {                                                                                                            \
    name##_body arguments;                                                                                     \
  }                                                                                                            \
  static __attribute__((noinline)) void name##_two parameters                                                  \
  {                                                                                                            \
    name##_body arguments;                                                                                     \
  }                                                                                                            \
  static void name parameters                                                                                  \
  {                                                                                                            \
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq")) {                             \
      name##_eight arguments;                                                                                  \
    } else if (__builtin_cpu_supports("avx2")) {                                                               \
      name##_four arguments;                                                                                   \
    } else {                                                                                                   \
      name##_two arguments;                                                                                    \
    }                                                                                                          \
  }
#else
#define DLS_HAND_LOOP(name, parameters, arguments)                                                             \
  static void name parameters                                                                                  \
  {                                                                                                            \
    name##_body arguments;                                                                                     \
  }
#endif

#endif
