#!/bin/sh
# figures.sh TOOL -- the figures of the paper, from the studies of their names.
# SPDX-License-Identifier: GPL-3.0-or-later
set -e
here=$(dirname "$(realpath "$0")")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$1" study acary-lecture-ball-order --out "$work/order" >/dev/null
"$1" study acary-lecture-oscillator-work-runge-kutta --out "$work/work" >/dev/null
cp "$work/order/order_hausdorff_v.svg" "$here/order.svg"
cp "$work/work/work_grid-max_q.svg" "$here/work.svg"
