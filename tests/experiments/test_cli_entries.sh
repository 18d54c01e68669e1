# test_cli_entries.sh -- derivatives by single entries of matrices and vectors: closed forms, the chain rule, runs of other files, refusals.
# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
# shellcheck source=tests/experiments/cli_support.sh
source "$2/tests/experiments/cli_support.sh"

# value NAME: of the CSV of gradient or fit
value() { awk -v p="$1" '{ n = index($0, p "\""); if (n == 2) print substr($0, length(p) + 4); else if (index($0, p ",") == 1) print substr($0, length(p) + 2) }' out | cut -d, -f1; }
gradient() { try 0 gradient "$@" && rows=$(cat out); }
of() { awk "BEGIN { printf \"%.17g\", $1 }"; }

# a ball in flight, m q'' = f - c v - k q at k = c = 0, q0 = 1, f = -2: dq/dk = -(t^2/2 - t^4/12), dq/dc = t^3/3, dq/dm = t^2
seed=${SEED:-$RANDOM}
t=$(awk -v s="$seed" 'BEGIN { srand(s); printf "%.6f", 0.4 + 0.5 * rand() }')
echo "SEED=$seed: t = $t"
for method in forward adjoint; do
  gradient bouncing-ball --scheme event-driven --of q0 --at "$t" --by 'K[0,0],C[0,0],M[0,0],q0[0],v0[0],w[0]' --method $method
  equal rows "$(wc -l <out)" 7
  close "dq/dk, $method" "$(value 'K[0,0]')" "$(of "-($t^2/2 - $t^4/12)")" 2e-10
  close "dq/dc, $method" "$(value 'C[0,0]')" "$(of "$t^3/3")" 2e-10
  close "dq/dm, $method" "$(value 'M[0,0]')" "$(of "$t^2")" 2e-10
  close "dq/dq0, $method" "$(value 'q0[0]')" 1 1e-10
  close "dq/dv0, $method" "$(value 'v0[0]')" "$t" 1e-10
  close "dq/dw in flight, $method" "$(value 'w[0]')" 0 1e-10
done
# a floor that is lower by w: the gap is q + w
gradient bouncing-ball --scheme event-driven --of q0 --at 1.7 --by 'w[0],q0,f,e,e[0]'
close "the floor" "$(value 'w[0]')" "$(of "$(value q0) - 1")" 1e-9
close "e of the contact" "$(value 'e[0]')" "$(value e)" 1e-10

# a parameter that is an entry, and the chain rule: k [[1, -1], [-1, 1]], where K[0,1] is both entries beside the diagonal
gradient impacting-oscillator --scheme event-driven --set c=0.1 --of v0 --at 5 --by 'k,c,K[0,0],C[0,0]'
close "k" "$(value 'K[0,0]')" "$(value k)" 1e-9
close "c" "$(value 'C[0,0]')" "$(value c)" 1e-9
for run in "event-driven" "moreau-jean --step 1e-3 --tangent plain"; do
  # shellcheck disable=SC2086 # words
  gradient two-ball-oscillator --set l=0 --set k=20 --scheme $run --of v0 --at 0.9 --by 'k,K[0,0],K[0,1],K[1,0],K[1,1]'
  equal "both entries" "$(value 'K[0,1]')" "$(value 'K[1,0]')"
  close "chain rule, $run" "$(of "$(value 'K[0,0]') - ($(value 'K[0,1]')) + ($(value 'K[1,1]'))")" "$(value k)" 3e-8
done
# coefficients of friction: mu = F/(m g), mu_s = F_s/(m g)
gradient belt --scheme event-driven --set Fs=1.5 --of q0 --at 4.5 --by 'F,Fs,mu[0],mu_s[0]'
close "mu" "$(of "$(value 'mu[0]') / 9.81")" "$(value F)" 1e-8
close "mu_s" "$(of "$(value 'mu_s[0]') / 9.81")" "$(value Fs)" 1e-8
between "mu_s matters" "$(value Fs)" 0.5 1.5

# matrices of files: entries beside the stored ones, Rayleigh damping, forces; against runs of other files
mtx() { name=$1; shift; printf '%%%%MatrixMarket matrix %s\n' "$1" >"$name.mtx"; shift; printf '%s\n' "$@" >>"$name.mtx"; }
mass() { mtx M "coordinate real symmetric" "2 2 3" "1 1 2" "2 1 $1" "2 2 1.5"; }
mass 0
sed -i '/^2 1 0$/d;s/^2 2 3/2 2 2/' M.mtx # a diagonal matrix
mtx K "coordinate real symmetric" "2 2 3" "1 1 5" "2 1 -3" "2 2 4"
mtx HT "array real general" "1 2" 1 0
mtx q0 "array real general" "2 1" 1 1
mtx F0 "array real general" "2 1" -9 -2
files=(--set M=M.mtx --set K=K.mtx --set HT=HT.mtx --set q0=q0.mtx --set F0=F0.mtx --set e=0.7 --set alpha=0.02 --set beta=0.01)
by='M[0,1],K[0,1],K[1,1],C[0,1],H[1,0],f[1],e[0]'
gradient matrix-model "${files[@]}" --scheme event-driven --of v1 --at 2.3 --by "$by"
forward=$rows
gradient matrix-model "${files[@]}" --scheme event-driven --of v1 --at 2.3 --by "$by" --method adjoint
for name in 'M[0,1]' 'K[0,1]' 'K[1,1]' 'C[0,1]' 'H[1,0]' 'f[1]' 'e[0]'; do
  backward=$(value "$name")
  echo "$forward" >out
  close "backward by $name" "$backward" "$(value "$name")" 1e-9
done
# speed DIRECTORY: v1 at 2.3 s of the files
speed() { (cd "$work" && "$tool" run matrix-model "${files[@]}" --scheme event-driven:tol=1e-12 --end 2.3 --at 2.3 --columns v1 --out v.csv && tail -1 v.csv | cut -d, -f2); }
difference() { # NAME DELTA LOW HIGH: the values of two runs
  echo "$forward" >out
  close "difference by $1" "$(of "($4 - ($3)) / (2 * $2)")" "$(value "$1")" 2e-7
}
mass -1e-5
low=$(speed)
mass 1e-5
high=$(speed)
difference 'M[0,1]' 1e-5 "$low" "$high"
mass 0
sed -i 's/^2 2 4/2 2 3.99999/' K.mtx
low=$(speed)
sed -i 's/^2 2 3.99999/2 2 4.00001/' K.mtx
high=$(speed)
difference 'K[1,1]' 1e-5 "$low" "$high"
sed -i 's/^2 2 4.00001/2 2 4/' K.mtx
sed -i 's/^-2$/-2.00001/' F0.mtx
low=$(speed)
sed -i 's/^-2.00001$/-1.99999/' F0.mtx
high=$(speed)
difference 'f[1]' 1e-5 "$low" "$high"

# columns of a run, which other commands read; entries by --set, with which an exact solution is no longer compared
try 0 run matrix-model "${files[@]}" --scheme event-driven --end 1 --sensitivity 'K[0,1],f[0]' --columns q0 --stats --out run.csv
in_out "sensitivity_K[0,1]=ok" "sensitivity_f[0]=ok"
header run.csv | sed 's/$/,/' >head
has_columns() { for column; do grep -qF -e ",$column," head || fail "run.csv has no column $column"; done; }
has_columns '"dq0/dK[0,1]"' '"dv0/dK[0,1]"' 'dq0/df[0]' 'dv0/df[0]'
try 0 distance run.csv run.csv --column 'dq0/dK[0,1]' --norm max
try 0 run bouncing-ball --set 'K[0,0]=1' --scheme event-driven --end 1.8 --columns q0 --at 0.1,0.2,0.5,0.8,1.1,1.4,1.7 --out data.csv
equal "name" "$(sed -n 's/^# model: //p' data.csv)" "bouncing-ball with K[0,0]=1"
try 0 fit bouncing-ball data.csv --by 'K[0,0],e[0]' --of q0
close "fitted stiffness" "$(value 'K[0,0]')" 1 1e-9
close "fitted e" "$(value 'e[0]')" 0.5 1e-9
try 0 order bouncing-ball --scheme moreau-jean:theta=0.5 --of 'dq0/dK[0,0],dq0/dq0' --reference event-driven --steps 1e-2:1e-3:3 --end 0.9
in_out 'dq0/dK[0,0]'

# what may be named
try 0 show impacting-oscillator
in_out "entries" "M[i,j], K[i,j], C[i,j], H[i,j], q0[i], v0[i], w[i], e[i]"
try 0 show matrix-model
in_out "mu[i], mu_s[i], e_t[i]" "f[i], vT[i]"
for wrong in 'K[2,0]:K is 2 x 2, and indices start at 0' 'K[0]:K is 2 x 2' 'e[1]:e is a vector of 1' 'Z[1]:there are M[i,j], K[i,j], C[i,j]' \
  'mu[0]:there are M[i,j]' 'K[-1,0]:there are' 'K[0,1,2]:there are' 'K[0,1:there are'; do
  refused "there is no entry '${wrong%%:*}'" "${wrong#*:}" -- gradient matrix-model "${files[@]}" --scheme event-driven --of v1 --at 1 --by "${wrong%%:*}"
done
refused "there are M[i,j], q0[i], v0[i]" -- run double-pendulum --scheme event-driven --end 1 --sensitivity 'K[0,0]'
refused "e[0] = 3 is outside [0, 1]" -- run bouncing-ball --scheme event-driven --end 1 --set 'e[0]=3'
refused "has no exact solution" -- exact bouncing-ball --set 'K[0,0]=3' --end 1
finish
