#!/usr/bin/env bash
# Steps of many runs side by side are made of packed instructions: products, sums and quotients of two numbers each, and of four and eight
# where the machine may have them. $1: the tool
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
tool=$1
if ! command -v objdump > /dev/null || [ "$(uname -m)" != x86_64 ]; then
  echo "needs objdump and x86_64"
  exit 77
fi
for scheme in theta newmark; do
  for width in two:%xmm four:%ymm eight:%zmm; do
    code=$(objdump -d --disassemble="dls_${scheme}_${width%:*}" "$tool")
    for operation in mulpd addpd divpd; do
      grep "$operation.*${width#*:}" <<< "$code" > /dev/null || { echo "dls_${scheme}_${width%:*} has no $operation with ${width#*:}"; exit 1; }
    done
  done
done
