"""What test_decimal.c asks of another implementation, Python's: lines on standard input; silent if all is as it should be.

  P q high low    the first 128 bits of 10^q
  W bits text     the shortest number that reads back as the double of these bits (repr)
  R bits text     the bits of the double nearest to this number
SPDX-License-Identifier: GPL-3.0-or-later"""

import struct
import sys


def first_bits(q):
    """128 of 10^q, the rest cut off."""
    divisor = 10 ** max(-q, 0)
    shift = 2 * divisor.bit_length() + 256
    bits = (10 ** max(q, 0) << shift) // divisor
    return bits >> (bits.bit_length() - 128)


def double(bits):
    return struct.unpack("<d", struct.pack("<Q", int(bits, 16)))[0]


def expected(kind, key):
    if kind == "P":
        return f"{first_bits(int(key)):032x}"
    text = repr(double(key))
    return text[:-2] if text.endswith(".0") else text


def main():
    wrong = count = 0
    for line in sys.stdin:
        kind, key, text = line.split()
        right = double(key) == float(text) if kind == "R" else expected(kind, key) == text
        count += 1
        if not right:
            wrong += 1
            print(f"{line.strip()}: not as in Python", file=sys.stderr)
    return wrong > 0 or count == 0


sys.exit(main())
