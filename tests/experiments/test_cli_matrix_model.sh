# test_cli_matrix_model.sh -- a model from files goes through every command; requests that are wrong say which file and
# line.
# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
# shellcheck source=tests/experiments/cli_support.sh
source "$2/tests/experiments/cli_support.sh"
data=$(realpath "$2")/tests/data/matrix-model
cp "$data"/*.mtx .
chain="--set M=M.mtx --set K=K.mtx --set C=C.mtx --set HT=HT.mtx --set w=w.mtx --set q0=q0.mtx --set v0=v0.mtx
  --set F0=F0.mtx --set e=0.5"

# shellcheck disable=SC2086
{
  # it is described like any other
  try 0 list models --format csv
  grep -q '^matrix-model,.*,model,' out || fail "list does not name matrix-model"
  try 0 show matrix-model
  in_out "files (--set NAME=FILE)" "M          yes     mass matrix, n x n, symmetric positive definite" \
    "HT         no      H^T, m x n" "parameters (--set NAME=VALUE)" "restitution coefficient of every contact"

  # run: the file says where the model comes from
  try 0 run matrix-model $chain --scheme moreau-jean --step 1e-3 --end 0.5 --out chain.csv
  between "rows" "$(grep -vc '^#' chain.csv)" 502 800
  equal "header" "$(header chain.csv | cut -d, -f1-11)" "t,q0,q1,q2,q3,v0,v1,v2,v3,g0,g1"
  grep -q '^# model: matrix-model$' chain.csv || fail "no model in chain.csv"
  grep -q '^# parameters: e=0.5,length=1,time=1,alpha=0,beta=0$' chain.csv || fail "no parameters in chain.csv"
  grep -q '^# files: M=M.mtx K=K.mtx C=C.mtx HT=HT.mtx w=w.mtx q0=q0.mtx v0=v0.mtx F0=F0.mtx$' chain.csv ||
    fail "no files in chain.csv"

  # the two balls with a spring of the catalogue, as files
  head='%%MatrixMarket matrix coordinate real general'
  printf '%s\n2 2 2\n1 1 1\n2 2 1\n' "$head" >two_m.mtx
  printf '%s\n2 2 4\n1 1 1e3\n1 2 -1e3\n2 1 -1e3\n2 2 1e3\n' "$head" >two_k.mtx
  printf '%s\n1 2 1\n1 1 1\n' "$head" >two_ht.mtx
  printf '%s\n2 1 2\n1 1 1\n2 1 2\n' "$head" >two_q0.mtx
  printf '%s\n2 1 2\n1 1 -1009.81\n2 1 990.19\n' "$head" >two_f0.mtx
  two="--set M=two_m.mtx --set K=two_k.mtx --set HT=two_ht.mtx --set q0=two_q0.mtx --set F0=two_f0.mtx --set e=0.9"
  try 0 run matrix-model $two --scheme moreau-jean --step 1e-3 --end 1 --out files.csv
  try 0 run two-ball-oscillator --scheme moreau-jean --step 1e-3 --end 1 --out built_in.csv
  for column in q v p0; do
    try 0 distance files.csv built_in.csv --column $column --norm max
    between "distance in $column" "$(sed -n 's/^distance=//p' out)" 0 1e-9
  done

  # order, energy, compare, exact
  try 0 order matrix-model $chain --scheme moreau-jean --steps 2e-2:1e-3:4 --repeats 4 --end 0.6 --norm l1 --of q --out study \
    --plot-format none
  between "order" "$(awk -F, 'NR == 2 { print $5 }' study/orders.csv)" 0.8 1.3
  grep -q '^files: M=M.mtx K=K.mtx' study/study.txt || fail "study.txt does not name the files"

  # relative paths of a study start in its folder, also from the copy among the results
  mkdir -p away "dir \"q"
  cp *.mtx "dir \"q"
  printf '%s\n' 'title: t' 'kind: run' 'model: matrix-model' 'parameters: {M: M.mtx, K: ./K.mtx, HT: HT.mtx}' \
    'schemes: moreau-jean' 'step: 0.1' 'end: 1' >"dir \"q/block.yaml"
  printf '# JSON\n  {"title": "t", "kind": "run", "model": "matrix-model", "parameters": {"M": "M.mtx", "K": "K.mtx",\n "HT": "HT.mtx"}, "schemes": "moreau-jean", "step": 0.1, "end": 1}\n' >"dir \"q/flow.yaml"
  for form in block flow; do
    (cd away && try 0 study "../dir \"q/$form.yaml" --out $form && try 0 verify $form) || fail "$form: relative paths"
    grep -q 'folder: ".*dir \\"q"' away/$form/study.yaml || fail "the copy of $form has no key folder"
    (cd away/$form && try 0 study study.yaml --out again && cmp study.yaml again/study.yaml) || fail "$form: the copy differs"
  done
  sed 's/^title/folder: here\ntitle/' "dir \"q/block.yaml" >relative.yaml
  refused "relative.yaml:1:9: folder = 'here' must be an absolute path" -- study relative.yaml
  try 0 energy matrix-model $chain --scheme moreau-jean --scheme nonsmooth-newmark --step 1e-3 --end 0.5 --out books \
    --plot-format none
  between "residual" "$(sed -n 's/^  largest |residual| *\([^ ]*\) .*/\1/p' out | head -1)" 0 1e-12
  grep -q '^# files: M=M.mtx' books/energy_moreau-jean.csv || fail "the books do not name the files"
  if command -v gnuplot >/dev/null; then
    try 0 compare matrix-model $chain --scheme moreau-jean --scheme event-driven --step 1e-3 --end 0.5 --plot both.svg
    [ -s both.svg ] || fail "no picture"
    rm both.*
  fi
  refused "model matrix-model has no exact solution" -- exact matrix-model $chain

  # wrong requests
  go="--scheme moreau-jean --step 1e-2"
  refused "model matrix-model is made from files; missing: M=FILE (mass matrix" "K=FILE (stiffness" -- \
    run matrix-model $go
  refused "missing: K=FILE" -- run matrix-model $go --set M=M.mtx
  refused "cannot read nowhere.mtx: No such file" -- run matrix-model $go --set M=M.mtx --set K=nowhere.mtx
  refused "there is no 'HTT' (did you mean 'HT'?)" "there are the files M, K, C," "parameters e, length, time" -- \
    order matrix-model --scheme moreau-jean --steps 1e-1:1e-2:3 --set HTT=HT.mtx
  refused "--set for model matrix-model: e = 2 is outside [0, 1]" -- energy matrix-model $chain --set e=2 $go
  refused "'M=' names no file" -- run matrix-model $go --set M=
  sed '4s/.*/1 1 zero/' K.mtx >bad.mtx
  refused "bad.mtx:4:5: 'zero' is not a finite decimal number" -- run matrix-model $go --set M=M.mtx --set K=bad.mtx
  sed '5s/-200/-100/' K.mtx >bad.mtx
  refused "bad.mtx:6: K is not symmetric: K(2,1) = -200, but K(1,2) = -100 in line 5" -- \
    run matrix-model $chain --set K=bad.mtx $go
  sed 's/0.4$/0.01/' M.mtx >bad.mtx
  refused "bad.mtx: M is not positive definite: its Cholesky" -- run matrix-model $chain --set M=bad.mtx $go
  refused "K is 2 x 2, but M is 4 x 4" -- run matrix-model --set M=M.mtx --set K=two_k.mtx $go

  # a table's pulse of 0.1 s, on a mass that rests on a floor under 1 N: 1e4 N for 0.1 s, less 1 N from then on
  printf '%%%%MatrixMarket matrix array real general\n1 1\n1\n' >one.mtx
  printf '%%%%MatrixMarket matrix array real general\n1 1\n0\n' >no.mtx
  printf 't,F0\n0,-1\n20,-1\n20,10000\n20.1,10000\n20.1,-1\n' >push.csv
  for h in 0.25 0.3 0.1 0.05 0.013; do
    for scheme in moreau-jean nonsmooth-newmark nonsmooth-generalized-alpha schatzman-paoli rk-moreau tdg-d1-minus standard-penalty; do
      try 0 run matrix-model --set M=one.mtx --set K=no.mtx --set HT=one.mtx --set F=push.csv --scheme $scheme --step $h --end 30 --columns v0
      # the step of the lift-off has the whole impulse of its load: what the floor held in it, up to h 1 N, is in doubt
      between "v with $scheme and h = $h" "$(tail -1 out | awk -F, -v h=$h '{ print $2 - (1000 - ($1 - 20.1)) }')" "-$h" "$h"
    done
  done
}
finish
