# test_cli_contact.sh -- contact problems from files: answers that are known, every method, what is no problem.
# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
# shellcheck source=tests/experiments/cli_support.sh
source "$2/tests/experiments/cli_support.sh"

cell() { # of the last line of out
  tail -1 out | cut -d, -f"$1"
}
numbers() { # behind a keyword of an answer
  awk -v key="$2" '$1 == key { on = 1; sub(key, ""); if (NF < 1) next } $1 ~ /^[a-zA-Z#]/ { on = 0 } on' "$1" | xargs
}

# a box on a floor slips: r_N = 1, r_T = -mu r_N = -0.5, u_T = 3 - 0.5
printf '# slips\ndim 2\ncontacts 1\nmu 0.5 # rubber\nq -1 3\nW 2\n0 0 1\n1 1 1\n' >slip.dat
try 0 contact slip.dat --out answer.dat
equal header "$(head -1 out)" "file,dim,contacts,method,outcome,residual,residual_abs,iterations,seconds,answered_by,solutions,stages"
equal outcome "$(cell 5)" solved
equal method "$(cell 4)" auto
between residual "$(cell 6)" 0 1e-15
equal r "$(numbers answer.dat r)" "1 -0.5"
equal u "$(numbers answer.dat u)" "0 2.5"
equal status "$(numbers answer.dat status)" 2
grep -q '^residual 0$' answer.dat || fail "the answer has no residual"
# the answer is a problem again: it repeats the question, and its r is the guess
try 0 contact answer.dat --out again.dat
equal "the answer read back" "$(grep -v method again.dat)" "$(grep -v method answer.dat)"

# in space: slips against (3, -4) / 5
printf 'dim 3 contacts 1 mu 0.5 q -1 3 -4 W 3 0 0 1 1 1 1 2 2 1' >space.dat
try 0 contact space.dat --out space.answer
equal "r in space" "$(numbers space.answer r | awk '{ printf "%.12g %.12g %.12g", $1, $2, $3 }')" "1 -0.3 0.4"
try 1 contact space.dat --method faceted --facets 6
equal outcome "$(cell 5)" not-solved
in_err "space.dat: contact problem of 1 blocks, 3 rows" "best residual"
try 0 contact space.dat --method faceted --facets 6 --tolerance 0.5
equal outcome "$(cell 5)" solved

# FCLIB's format, by the name of the file: what is written is a problem again
if "$tool" contact slip.dat --out slip.hdf5 >out 2>err; then
  equal "begin of the file" "$(head -c 4 slip.hdf5 | tail -c 3)" HDF
  try 0 contact slip.hdf5 --out slip.again
  equal "through HDF5" "$(grep -v -e method -e residual slip.again)" "$(grep -v -e method -e residual answer.dat)"
  printf 'dim 1 contacts 1 q -1 W 1 0 0 1' >flat.dat
  try 2 contact flat.dat --out flat.h5
  in_err "FCLIB's files hold contacts of 2 or 3 rows; these have 1"
  [ ! -e flat.h5 ] || fail "a file that was refused is there"
else
  in_err "this build has no HDF5: install it (Debian: libhdf5-dev)"
  [ ! -e slip.hdf5 ] || fail "a file that was not written is there"
fi

# without friction
printf 'dim 1\ncontacts 2\nq -1 1.5\nW 4\n0 0 1\n1 0 -0.9\n0 1 -0.9\n1 1 1\n' >wedge.dat
try 0 contact wedge.dat --out wedge.answer
equal "r of the wedge" "$(numbers wedge.answer r)" "1 0"
equal "status of the wedge" "$(numbers wedge.answer status)" "1 0"

# every method on a folder: a profile
mkdir problems
cp slip.dat space.dat wedge.dat problems
try 0 contact problems --all-methods --out profile
equal "lines" "$(wc -l <out)" $((1 + 3 * $("$tool" list solvers --format csv | grep -c -E '^(auto|one-contact|lcp|modes|planar-lemke|nsgs|alart-curnier|interior-point|proximal-point|faceted|apgd),')))
equal "solved by auto" "$(grep -c ',auto,solved,' out)" 3
equal "refused by lcp" "$(grep -c ',lcp,refused,' out)" 2
equal "header of the profile" "$(head -1 profile/profile.csv)" "method,tau,fraction"
awk -F, 'NR > 1 && ($2 < 1 || $3 <= 0 || $3 > 1) { exit 1 }' profile/profile.csv || fail "profile.csv: tau below 1 or fraction outside (0, 1]"
equal "fraction that auto solves" "$(grep '^auto,' profile/profile.csv | tail -1 | cut -d, -f3)" 1
[ -s profile/profile.png ] && [ -s profile/profile.gp ] || fail "no picture of the profile"
try 0 contact slip.dat space.dat --out answers
cmp -s answers/slip.dat answer.dat || fail "answers of several files: not those of one"

# what is no problem: the message says which file and line
bad() { # message, text
  printf "%b" "$2" >bad.dat
  refused "$1" -- contact bad.dat
}
bad "bad.dat:1: unknown keyword 'dims'" 'dims 2\n'
bad "bad.dat:1: '4' found; expected dim, an integer in [1, 3]" 'dim 4\n'
bad "bad.dat:1: 'mu' before dim and contacts" 'mu 0.5\n'
bad "bad.dat:3: mu[0] = -0.5 is below 0" 'dim 2\ncontacts 1\nmu -0.5\n'
bad "bad.dat:3: mu with dim 1" 'dim 1\ncontacts 1\nmu 0.5\n'
bad "bad.dat:4: 'nan' found; expected q[1] of 2" 'dim 2\ncontacts 1\nmu 0.5\nq 1 nan\n'
bad "bad.dat:3: 'W' found; expected q[1] of 2" 'dim 2\ncontacts 1\nq 1 W 0\n'
bad "bad.dat:4: '2' found; expected a row of W, an integer in [0, 1]" 'dim 2 contacts 1\nmu 1\nq 1 1 W 1\n2 0 1\n'
bad "bad.dat:5: W[0,0] is given twice, first in line 4" 'dim 2 contacts 1\nmu 1\nq 1 1 W 2\n0 0 1\n0 0 2\n'
bad "the file ends where an entry of W is expected" 'dim 2 contacts 1\nmu 1\nq 1 1 W 1\n0 0'
bad "bad.dat:2: 'dim' is given twice, first in line 1" 'dim 2\ndim 2\n'
bad "the keyword 'W' is missing" 'dim 2 contacts 1 mu 1 q 1 1\n'
bad "HDF5" '\0211HDF\r\n\032\n'
refused "there is no file or folder 'nothing.dat'" -- contact nothing.dat
refused "unknown method 'newton'" "alart-curnier" -- contact slip.dat --method newton
try 1 contact slip.dat --all-methods --tolerance 1e-300
in_err "no method solves 1 of 1 problems"
refused "--method does not go with --all-methods" -- contact slip.dat --method nsgs --all-methods
refused "--facets" "[3, 64]" -- contact slip.dat --facets 2
refused "method 'lcp' does not apply" -- contact slip.dat --method lcp

# a problem without a solution is reported as such
printf 'dim 2\ncontacts 2\nmu 0.5 0.5\nq -1 0.3 -1 0.2\nW 8\n0 0 1\n0 2 -1\n2 0 -1\n2 2 1\n1 1 2\n3 3 2\n1 3 0.5\n3 1 0.5\n' >squeezed.dat
try 1 contact squeezed.dat
in_err "squeezed.dat: this contact problem has no solution: each combination of open, stick and slip is contradictory or violates a law"
! grep -q tolerance err || fail "the message of a problem without a solution mentions a tolerance"
equal "number of solutions" "$(sed -n 2p out | cut -d, -f11)" 0

# the problems of a run: the hardest first, each a problem that can be solved again
try 0 run block-wall --set v0=1 --set rows=3 --set columns=3 --scheme moreau-jean --step 0.005 --end 0.05 --dump-problems met
in_err "contact problems with friction: 10; 10 written to met"
equal "files of a run" "$(ls met | wc -l)" 10
equal "iterations in their names, the most first" "$(ls met | cut -d- -f2)" "$(ls met | cut -d- -f2 | sort -rn)"
grep -q '^# t: 0$' met/001-*.dat || fail "the first step is not the hardest, or its time is not there"
grep -q '^# solved by: .* residual ' met/010-*.dat || fail "no residual in a problem of a run"
cat met/*.dat >all.dat
equal "guesses: every step but the first" "$(grep -c '^r$' all.dat)" 9
try 0 contact met
equal "problems of a run that are solved" "$(grep -c ',2,30,auto,solved,' out)" 10
refused "'met' has problems of an earlier run" "-iterations.dat' for one" "give a folder of its own" -- \
  run block-wall --set v0=1 --scheme moreau-jean --step 0.005 --end 0.05 --dump-problems met
equal "files of a run that was not overwritten" "$(ls met | wc -l)" 10
# the convex problems of convex-step state their law, and its answer is not Coulomb's
try 0 run incline --set mu=0.5 --scheme convex-step --step 0.01 --end 0.1 --dump-problems convex
grep -q "^law associated$" convex/001-*.dat || fail "no law in the problems of convex-step"
first=$(ls convex/*.dat | head -n 1)
printf 'dim 2\ncontacts 1\nmu 0.5\nlaw associated\nq -1 2\nW 2\n0 0 1\n1 1 1\n' >associated.dat
try 0 contact associated.dat --out answer.dat
# with u_f = (-1, 2): u_T = (2 - mu)/(1 + mu^2) = 1.2, u_N = mu u_T = 0.6, r = u - u_f
grep -A 1 "^r$" answer.dat | grep -q "^1.6[0-9]* -0.8" || fail "the associated answer is $(grep -A 1 '^r$' answer.dat)"
try 0 contact "$first" --out again.dat
grep -q "^law associated$" again.dat || fail "the answer has lost the law"
printf 'dim 2\ncontacts 1\nmu 0.5\nlaw viscous\nq -1 2\nW 2\n0 0 1\n1 1 1\n' >viscous.dat
refused "'viscous' found; expected the law, coulomb or associated" -- contact viscous.dat
try 0 run bounce-slip --scheme moreau-jean --step 0.01 --end 2 --dump-problems many
equal "no more than the hardest" "$(ls many | wc -l)" "$(grep -oE '[0-9]+ written' err | cut -d' ' -f1)"
try 0 run bouncing-ball --scheme moreau-jean --step 0.01 --end 1 --dump-problems none
in_err "contact problems with friction: 0; 0 written to none"
equal "files without friction" "$(ls none | wc -l)" 0
try 1 run bouncing-ball --scheme moreau-jean --step 0.01 --end 1 --dump-problems slip.dat
in_err "slip.dat"
finish
