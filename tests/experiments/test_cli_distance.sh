# test_cli_distance.sh -- distances between files whose distance is known, and files that are no trajectories.
# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
# shellcheck source=tests/experiments/cli_support.sh
source "$2/tests/experiments/cli_support.sh"

# a third row at one time belongs to the graph
printf 't,q0\n0,0\n1,0\n1,9\n1,0\n2,0\n' >spike.csv
printf 't,q0\n0,0\n2,0\n' >flat.csv
for norm in hausdorff m1; do
  try 0 distance spike.csv flat.csv --norm $norm --tau 1 --xi 1
  close "$norm distance of a spike" "$(value distance)" 9 0.01
done

# a jump of height 1 at t = 1 and at t = 1.25: graphs 0.25 apart, but 1 apart in the maximum norm
printf 't,v0\n0,0\n1,0\n1,1\n4,1\n' >a.csv
printf 't,v0\n0,0\n1.25,0\n1.25,1\n4,1\n' >b.csv
try 0 distance a.csv b.csv
equal "keys" "$(cut -d= -f1 out | tr '\n' ' ')" "distance bound norm column from to "
equal norm "$(value norm)" hausdorff
equal column "$(value column)" v0
equal from "$(value from)" 0
equal to "$(value to)" 4
bound=$(value bound)
between bound "$bound" 0 0.01
close "Hausdorff distance of shifted jumps" "$(value distance)" 0.25 "$(awk -v b="$bound" 'BEGIN { print b + 1e-15 }')"
[ ! -s err ] || fail "$last wrote to standard error"
try 0 distance b.csv a.csv
close "the same backwards" "$(value distance)" 0.25 0.01
try 0 distance a.csv a.csv
equal "distance of a file to itself" "$(value distance)" 0
# scales: a second counts as 1/10, so the shift is 0.025
try 0 distance a.csv b.csv --tau 10
close "with tau = 10" "$(value distance)" 0.025 1e-3
try 0 distance a.csv b.csv --xi 10
close "with xi = 10" "$(value distance)" 0.1 1e-3
try 0 distance a.csv b.csv --norm lp:p=2
equal norm "$(value norm)" lp:p=2
close "L2 distance of shifted jumps" "$(value distance)" 0.5 1e-14
try 0 distance a.csv b.csv --norm lp:p=4
close "L4 distance of shifted jumps" "$(value distance)" 0.70710678118654752 1e-14
refused "norm lp: p = 0 is not an integer in [1, 64]" -- distance a.csv b.csv --norm lp:p=0
refused "norm l1 has no options, but 'p=3' is given" -- distance a.csv b.csv --norm l1:p=3
try 0 distance a.csv b.csv --norm l1
equal norm "$(value norm)" l1
close "L1 distance" "$(value distance)" 0.25 1e-9
for norm in $("$tool" list norms --format csv | tail -n +2 | cut -d, -f1); do
  [ "$norm" = events ] || try 0 distance a.csv b.csv --norm "$norm"
done

# M1 and flat distance; impulses so far: 2 N s at t = 1, then 3 N for 1 s, against 2 N s late by 1/4 s and 3 N s at t = 2
try 0 distance a.csv b.csv --norm m1
close "M1 distance of shifted jumps" "$(value distance)" 0.25 1e-3
try 0 distance a.csv b.csv --norm flat
close "flat distance of shifted jumps" "$(value distance)" 0.25 1e-14
printf 't,g0,p0,lambda0\n0,0,0,0\n1,0,0,0\n1,0,2,3\n2,0,0,3\n2,0,0,0\n4,0,0,0\n' >force.csv
printf 't,g0,p0,lambda0\n0,0,0,0\n1.25,0,2,0\n2,0,3,0\n4,0,0,0\n' >steps.csv
try 0 distance force.csv steps.csv --norm flat --column impulse
equal column "$(value column)" impulse
close "flat distance of impulses: integral of |F - G|, 0.59375 + 1.40625" "$(value distance)" 2 1e-13
try 0 distance force.csv steps.csv --norm max --column impulse0
close "impulses so far, 5 - 2 just before t = 2" "$(value distance)" 3 1e-13
# a time-stepping scheme says p/h as its force: it counts once
printf '# scheme: moreau-jean\nt,p0,lambda0\n0,0,3\n1,3,3\n2,3,3\n4,0,0\n' >ours.csv
printf 't,p0\n0,0\n1,3\n2,3\n4,0\n' >theirs.csv
try 0 distance ours.csv theirs.csv --norm flat --column impulse
equal "impulses of steps" "$(value distance)" 0
# but for steps without p, in which the force acts
printf '# scheme: tdg-d1-minus\nt,p0,lambda0\n0,0,0\n1,4,3\n2,0,3\n4,0,3\n' >ours.csv
printf 't,p0,lambda0\n0,0,0\n1,0,0\n1,4,3\n4,0,3\n' >theirs.csv
try 0 distance ours.csv theirs.csv --norm flat --column impulse
close "impulses and forces of steps" "$(value distance)" 0 1e-13
refused "no impulse of contact 1: there is no column p1" -- distance force.csv steps.csv --column impulse1

# columns: the first in common where there is no v0; several as a vector; a prefix for all
printf 't,x,y\n0,0,0\n1,3,0\n' >c.csv
printf 't,y,x\n0,1,0\n1,1,3\n' >d.csv
try 0 distance c.csv d.csv
equal "column in common" "$(value column)" x
equal "distance of equal columns" "$(value distance)" 0
try 0 distance c.csv d.csv --column y --norm max
close "distance of y" "$(value distance)" 1 1e-12
try 0 distance c.csv d.csv --column x,y --norm max
equal column "$(value column)" x,y
close "distance of (x, y) in the largest component" "$(value distance)" 1 1e-12
printf 't,q0,q1\n0,0,0\n1,0,2\n' >e.csv
try 0 distance e.csv e.csv --column q
equal "columns of q" "$(value column)" q0,q1

# what holds between the rows: constant differs from linear by the area of two triangles
printf 't,x\n0,0\n1,1\n2,2\n' >ramp.csv
try 0 distance ramp.csv ramp.csv --norm l1 --between constant
close "stairs against stairs" "$(value distance)" 0 1e-12
printf '# interpolation: x=linear\nt,x\n0,0\n1,1\n2,2\n' >line.csv
try 0 distance ramp.csv line.csv --norm l1 --between constant
in_err "line.csv defines the interpolation"
close "stairs against line" "$(value distance)" 1 1e-9
try 0 distance ramp.csv line.csv --norm l1
close "line against line" "$(value distance)" 0 1e-12

# different lengths: the common part, said on standard error
printf 't,x\n0.5,0.5\n3,3\n' >late.csv
try 0 distance ramp.csv late.csv
in_err "[0, 2] and [0.5, 3]" "compared on [0.5, 2]"
close "on the common part" "$(value distance)" 0 1e-12
equal from "$(value from)" 0.5
equal to "$(value to)" 2
printf 't,x\n5,0\n6,0\n' >later.csv
refused "no stretch of time in common" "[0, 2] and [5, 6]" -- distance ramp.csv later.csv

# files of the tool: blanks, quotes, comments and CRLF of other tools
printf '# made elsewhere\r\nt, "v0"\r\n0, 0\r\n1, 0\r\n1, 1\r\n4, 1\r\n' >other.csv
try 0 distance a.csv other.csv
equal "distance to the same numbers" "$(value distance)" 0
try 0 exact bouncing-ball --end 4 --out exact.csv
try 0 run bouncing-ball --scheme moreau-jean --step 0.01 --end 4 --out run.csv
try 0 distance run.csv exact.csv
between "Moreau-Jean at h = 0.01" "$(value distance)" 1e-4 0.1
try 0 distance exact.csv <("$tool" exact bouncing-ball --end 4)
equal "through a pipe" "$(value distance)" 0

# accuracy: the bound is the part of the distance that was asked for, and all answers lie within the bounds of the others
"$tool" run impacting-oscillator --scheme event-driven:tol=1e-3 --end 4 --out coarse.csv 2>err
try 0 exact impacting-oscillator --end 4 --out fine.csv
try 0 distance coarse.csv fine.csv --accuracy 1e-9
best=$(value distance)
best_bound=$(value bound)
for accuracy in 0.5 1e-2 1e-4 1e-7; do
  try 0 distance coarse.csv fine.csv --accuracy $accuracy
  between "bound at accuracy $accuracy, relative" "$(awk -v b="$(value bound)" -v d="$(value distance)" 'BEGIN { print b / d }')" 0 $accuracy
  close "distance at accuracy $accuracy" "$(value distance)" "$best" "$(awk -v a="$best_bound" -v b="$(value bound)" 'BEGIN { print a + b }')"
  [ ! -s err ] || fail "$last wrote to standard error: $(cat err)"
done
try 0 distance coarse.csv fine.csv
default=$(value distance)
try 0 distance coarse.csv fine.csv --accuracy 1e-3
equal "the default accuracy" "$(value distance)" "$default"
try 0 distance coarse.csv fine.csv --accuracy 1e-16
in_err "the bound is" "of the distance, not 1e-16"
refused "--accuracy = 0 " "> 0" -- distance a.csv b.csv --accuracy 0
refused "--accuracy = 2 " "(0, 1]" -- distance a.csv b.csv --accuracy 2
refused "--accuracy = 'x'" -- distance a.csv b.csv --accuracy x

# malformed: file:line:column
printf 't,x\n0,0\n1,abc\n' >bad.csv
refused "bad.csv:3:3" "abc" -- distance a.csv bad.csv
printf 't,x\n0,0\n1,nan\n' >bad.csv
refused "bad.csv:3:3" "nan" -- distance bad.csv a.csv
printf 't,x\n0,0\n1\n' >bad.csv
refused "bad.csv:3:" -- distance bad.csv a.csv
printf 't,x\n0,0\n1,1\n0.5,1\n' >bad.csv
refused "bad.csv:4:" "decreases" -- distance bad.csv a.csv
printf 'x,y\n0,0\n1,1\n' >bad.csv
refused "bad.csv:1:1" "no column 't' for the time" -- distance bad.csv a.csv
printf 't,x,x\n0,0,0\n1,1,1\n' >bad.csv
refused "bad.csv:1:" "x" -- distance bad.csv a.csv
printf 't,x\n' >bad.csv
refused "bad.csv:2:" -- distance bad.csv a.csv
: >bad.csv
refused "bad.csv:1:" "header" -- distance bad.csv a.csv
printf 't,x\n0,0\n' >bad.csv
refused "time" -- distance bad.csv ramp.csv
rm bad.csv
refused "nowhere.csv" "No such file or directory" -- distance a.csv nowhere.csv
refused "." -- distance a.csv .

refused "no column 'v7'" "t, v0" "a.csv" -- distance a.csv b.csv --column v7
refused "no column in common" -- distance a.csv c.csv
refused "unknown norm 'hausdorf'" "did you mean 'hausdorff'" "l1" -- distance a.csv b.csv --norm hausdorf
refused "--tau = 0 " "> 0" -- distance a.csv b.csv --tau 0
refused "--xi = 'nan'" -- distance a.csv b.csv --xi nan
refused "--between = 'cubic'" "linear, constant" -- distance a.csv b.csv --between cubic
refused "--column: field 2" "empty" -- distance a.csv b.csv --column v0,
refused "B.csv is missing, e.g. exact.csv" -- distance a.csv
refused "A.csv is missing, e.g. run.csv" -- distance
# a file without line ends is refused before it takes all memory
try 0 run bouncing-ball --scheme moreau-jean --step 0.1 --end 1 --out line.csv
before=$(ulimit -Sv)
grep -q __asan_init "$tool" || ulimit -Sv 4000000 # the address sanitizer reserves far more
try 2 distance /dev/zero line.csv
ulimit -Sv "$before"
in_err "/dev/zero:1: the line has more than 67108864 characters"
# tables of other programs: their names, units, separators and decimal commas
try 0 run bouncing-ball --scheme moreau-jean --step 0.01 --end 1 --out ours.csv
grep -v '^#' ours.csv | awk -F, 'BEGIN { CONVFMT = "%.17g" } NR == 1 { print "pos (mm);time (ms);vel"; next }
  { print 1000 * $2 ";" 1000 * $1 ";" $3 }' | tr . , >excel.csv
grep -v '^#' ours.csv | awk -F, '{ print (NR == 1 ? "# " : " ") $1 "  " $2 "  " $3 }' >numpy.txt
map='t=0.001*time (ms),q0=1e-3*pos (mm),v0=vel'
try 0 distance excel.csv ours.csv --map "$map" --column q0
in_err "excel.csv: columns separated by ';', decimal commas"
between "distance in other units" "$(value distance)" 0 1e-14
try 0 distance numpy.txt ours.csv
in_err "numpy.txt: columns separated by blanks, names of columns from a comment"
in_out "distance=0"
# names with a comma, in quotes as in CSV: the pair, or the name
grep -v '^#' ours.csv | awk -F, 'BEGIN { CONVFMT = "%.17g" } NR == 1 { print "time,\"pos, mm\",\"a \"\"b\"\", c\""; next }
  { print $1 "," 1000 * $2 "," $3 }' >quoted.csv
for map in 't=time,q0=0.001*"pos, mm",v0="a ""b"", c"' '"q0=0.001*pos, mm","v0=a ""b"", c",t="time"' '"q0=0.001*""pos, mm""",t=time'; do
  try 0 distance quoted.csv ours.csv --map "$map" --column q0
  between "distance with $map" "$(value distance)" 0 1e-14
done
try 0 distance quoted.csv ours.csv --map 't=time,v0="a ""b"", c"' --column v0
in_out "distance=0"
refused "has no column 'pos. mm'; its columns are t, pos, mm, a \"b\", c" -- distance quoted.csv ours.csv --map 't=time,q0="pos. mm"'
refused "' mm' is not of the form OURS=THEIRS" -- distance quoted.csv ours.csv --map 't=time,q0=pos, mm'
# a separator behind the last number of each line
grep -v '^#' ours.csv | sed 's/$/,/' >ends.csv
try 0 distance ends.csv ours.csv
in_err "ends.csv: a separator at the end of each line"
in_out "distance=0"
sed 's/,$/;/; s/,/;/g; $s/;$//' ends.csv >ends-late.csv
refused "ends-late.csv:$(wc -l <ends-late.csv):" "no separator at the end of the line, where those before have one" -- \
  distance ends-late.csv ours.csv
refused "already has a column" -- distance numpy.txt ours.csv --map q0=v0
refused "no column 't' for the time" "pos (mm), time (ms), vel" -- distance excel.csv ours.csv --map v0=vel
refused "a column t, while the time is mapped to the column time" -- distance numpy.txt ours.csv --map t=time
refused "the factor must be different from 0" -- distance numpy.txt ours.csv --map q0=0*q0
refused "the factor must be > 0 for the time" -- distance excel.csv ours.csv --map 't=-1*time (ms)'
refused "delassus has written both files" -- distance ours.csv ours.csv --map q0=x
# a file gives no orders to the terminal
printf 't,q0\n0,1\n1,\033]0;evil\007\n' >orders.csv
try 2 distance orders.csv orders.csv --column q0
in_err "orders.csv:3:3: not a finite number: ?]0;evil?"
finish
