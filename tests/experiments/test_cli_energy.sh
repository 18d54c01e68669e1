# test_cli_energy.sh -- the energy ledger: table, files, pictures, and requests that are wrong.
# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
# shellcheck source=tests/experiments/cli_support.sh
source "$2/tests/experiments/cli_support.sh"
small="--scheme moreau-jean:theta=1 --step 0.05 --end 5"

# column FILE NAME: values of a column of a CSV file
column() {
  grep -v '^#' "$1" | awk -F, -v name="$2" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) c = i; next } { print $c }'
}

# shellcheck disable=SC2086
{
  # the table on standard output, nothing else
  try 0 energy impacting-oscillator $small --set c=0.1
  in_out "impacting-oscillator on [0, 5] s" "moreau-jean:theta=1, 100 steps" "energy at the start" "5.000000000e-01 J" \
    "damping work" "impact work" "numerical: stiffness" "(1/2 - theta) |dq|_K^2" "largest |residual|"
  [ ! -s err ] || fail "$last wrote to standard error: $(cat err)"
  equal "files here" "$(ls -A | tr '\n' ' ')" "err out "
  relative=$(sed -n 's/^  largest |residual| *\([^ ]*\) .*/\1/p' out)
  between "relative residual" "$relative" 0 1e-12

  # files: one for each scheme, a second one of a name is numbered; rows; columns; sums
  try 0 energy impacting-oscillator $small --scheme moreau-jean --scheme nonsmooth-generalized-alpha \
    --scheme event-driven --set c=0.1 --set amplitude=0.3 --out deep/books --plot-format none
  equal "files" "$(ls -A deep/books | tr '\n' ' ')" \
    "energy_event-driven.csv energy_moreau-jean.csv energy_moreau-jean_2.csv energy_nonsmooth-generalized-alpha.csv "
  in_out "no identity" "numerical: load_lag" "energies and works [J]"
  file=deep/books/energy_nonsmooth-generalized-alpha.csv
  equal "header" "$(header $file)" "t,kinetic,potential,mechanical,algorithmic,external,damping,impact,num_inertia,\
num_stiffness,num_filter,num_load_lag,num_damping_lag,residual,sum_external,sum_damping,sum_impact,sum_num_inertia,\
sum_num_stiffness,sum_num_filter,sum_num_load_lag,sum_num_damping_lag,sum_residual,normal,friction,drive,sum_normal,sum_friction,sum_drive,px"
  equal "rows" "$(column $file t | wc -l)" 101
  grep -q '^# model: impacting-oscillator$' $file || fail "$file does not name the model"
  grep -q '^# options: .*rho_inf=0.8' $file || fail "$file does not give the options"
  grep -q '^# num_load_lag: -eta dq^T y_gamma$' $file || fail "$file does not explain its columns"
  grep -q '^# complete: yes$' $file || fail "$file is not marked complete"
  sum=$(column $file external | awk '{ s += $1 } END { printf "%.17g", s }')
  close "sum_external" "$(column $file sum_external | tail -1)" "$sum" 1e-13
  grep -q '^# options: theta=1,' deep/books/energy_moreau-jean.csv || fail "the first moreau-jean is not theta=1"
  # the tool reads its own files
  try 0 distance $file $file --column mechanical
  in_out "distance=0"

  # pictures
  if command -v gnuplot >/dev/null; then
    try 0 energy bouncing-ball --scheme moreau-jean --scheme schatzman-paoli --step 0.02 --end 3 --out pictures --plot-format svg
    equal "files" "$(ls -A pictures | tr '\n' ' ')" \
      "dissipation.gp dissipation.svg energies.gp energies.svg energy_moreau-jean.csv energy_schatzman-paoli.csv momenta.gp momenta.svg parts.gp parts.svg "
    for file in pictures/*; do
      [ -s "$file" ] || fail "$file is empty"
    done
    grep -qxF 'set rmargin at screen 0.7435' pictures/dissipation.gp || fail "keys take more room than they need"
    grep -q 'dashtype (' pictures/energies.gp || fail "curves differ by colour alone"
    grep -q 'work supplied' pictures/energies.gp && fail "a steady load has a potential: nothing is supplied"
    try 0 energy belt --scheme moreau-jean --scheme event-driven --step 0.02 --end 3 --out driven --plot-format svg
    grep -q 'E − work supplied' driven/energies.gp || fail "the drive's work is not taken off"
    try 0 energy belt --scheme moreau-jean --step 0.02 --end 1 --out one --plot-format svg
    grep -q 'E − work supplied' one/energies.gp || fail "one scheme: the drive's work is not taken off"
    grep -q "title 'drive: [0-9]" driven/dissipation.gp || fail "the drive is not drawn"
    grep -q "title 'sliding: -" driven/dissipation.gp || fail "sliding is not drawn"
    grep -q "title 'impact" driven/dissipation.gp && fail "sliding is called impact"
  else
    echo "gnuplot is absent: pictures are not tested"
  fi

  # a scheme that fails on the way: what there is, marked; the other runs all the same
  try 1 energy bouncing-ball --scheme event-driven:max_events=3 --scheme moreau-jean --step 0.1 --set e=0.9 --out broken \
    --plot-format none
  in_err "max_events = 3"
  in_out "stopped early" "energy where it stopped" "(stopped early)" "moreau-jean, 100 steps" \
    "energy at the end"
  grep -q '^# complete: no$' broken/energy_event-driven.csv || fail "the broken ledger is not marked"
  if command -v gnuplot >/dev/null; then
    try 1 energy bouncing-ball --scheme event-driven:max_events=3 --set e=0.9 --end 10 --out stopped
    for picture in energies parts dissipation momenta; do
      grep -q "title 'bouncing-ball, e=0.9 (stopped early)'" stopped/$picture.gp ||
        fail "$picture of the broken ledger is not marked: $(grep multiplot stopped/$picture.gp)"
    done
    rm -rf stopped
  fi
  # one that is refused at the start is a wrong request if it is alone
  refused "gamma" "stability=ignore" -- energy bouncing-ball --scheme nonsmooth-newmark:gamma=0.4 --step 0.1 --out x
  rm -rf deep pictures driven broken

  refused "unknown model 'bal'" -- energy bal $small --out x
  refused "--scheme is missing" -- energy bouncing-ball --step 0.1 --out x
  refused "unknown scheme 'moreau'" -- energy bouncing-ball --scheme moreau --step 0.1 --out x
  refused "--step is missing" "moreau-jean" -- energy bouncing-ball --scheme event-driven --scheme moreau-jean --out x
  refused "--step = 0.1 goes with no scheme of the request" -- energy bouncing-ball --scheme event-driven --step 0.1
  refused "--step = 20 " "--end = 10" -- energy bouncing-ball --scheme moreau-jean --step 20 --out x
  refused "--end = 0 " -- energy bouncing-ball --scheme moreau-jean --step 0.1 --end 0
  refused "e = -1" "[0, 1]" -- energy bouncing-ball $small --set e=-1 --out x
  refused "--plot-format = 'gif'" "png, svg, pdf, tex, none" -- energy bouncing-ball $small --plot-format gif --out x
  echo precious >file
  refused "cannot create folder 'file/x'" "'file': it is not a folder" -- energy bouncing-ball $small --out file/x
  equal "the file in the way" "$(cat file)" precious
}
# Two balls and a wall, whose impacts are one or two steps apart: schatzman-paoli creates 1.28 J of 2 J, and says so (docs/reference/schatzman-paoli.md)
array() { printf '%%%%MatrixMarket matrix array real general\n' && printf '%s\n' "$@"; }
array "2 2" 1 0 0 1 >M.mtx
array "2 2" 0 0 0 0 >K.mtx
array "2 2" 1 0 -1 1 >H.mtx
array "2 1" 0 -2 >v0.mtx
array "2 1" 0.04 0.44 >near.mtx
array "2 1" 0.30 0.40 >apart.mtx
balls="energy matrix-model --set M=M.mtx --set K=K.mtx --set H=H.mtx --set v0=v0.mtx --set e=1 --scheme schatzman-paoli --step 0.05 --end 1"
# shellcheck disable=SC2086
try 0 $balls --set q0=near.mtx
in_out "warning                   1.280000000e+00 J   created by the contacts"
# shellcheck disable=SC2086
try 0 $balls --set q0=apart.mtx
! grep -q "warning" out || fail "a warning where no energy is created"
finish
