/* hash.h -- FNV-1a, 64 bits: distinguishes data that differ by chance or by mistake, not by malice.
 * Source: G. Fowler, L. C. Noll, K.-P. Vo, draft-eastlake-fnv, offset basis and prime for 64 bits.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_COMMON_HASH_H
#define DELASSUS_COMMON_HASH_H

#include <stddef.h>
#include <stdint.h>

#define DLS_HASH_START 0xcbf29ce484222325u

/* Hash of the data so far followed by size bytes; begin with DLS_HASH_START. */
static inline uint64_t dls_hash(uint64_t hash, const void *bytes, size_t size)
{
  const unsigned char *byte = bytes;
  for (size_t i = 0; i < size; i++) {
    hash = (hash ^ byte[i]) * 0x100000001b3u;
  }
  return hash;
}

#endif
