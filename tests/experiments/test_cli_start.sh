# test_cli_start.sh -- the tool starts without the libraries that large problems alone need, and loads them for those.
# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
# shellcheck source=tests/experiments/cli_support.sh
source "$2/tests/experiments/cli_support.sh"
data=$(realpath "$2")/tests/data/matrix-model

if command -v readelf >/dev/null && readelf -d "$binary" >needs 2>/dev/null; then
  grep -q 'NEEDED.*libgsl' needs || fail "the tool does not need GSL: is this the tool?"
  ! grep -qE 'NEEDED.*(lapack|umfpack|cholmod)' needs || fail "the tool needs at its start $(grep -E 'umfpack|cholmod|lapack' needs)"
fi

# CHOLMOD checks the mass matrix of a model from files; UMFPACK factors large meshes
chain=(--set M="$data/M.mtx" --set K="$data/K.mtx" --set HT="$data/HT.mtx")
try 0 run matrix-model "${chain[@]}" --scheme moreau-jean --step 1e-2 --end 0.1 --stats
in_out "complete=yes"
mesh=(run elastic-block --set nx=120 --set ny=60 --scheme moreau-jean --step 1e-4 --end 2e-4 --stats)
try 0 "${mesh[@]}"
in_out "complete=yes"

# as where a library has been taken away: what there is none of is named, and only when it is needed
mkdir damaged
for name in $(grep -aoE 'lib(cholmod|umfpack)\.so\.[0-9]+' "$tool" | sort -u); do
  echo "no library" >"damaged/$name"
done
if [ -n "$(ls damaged)" ]; then
  export LD_LIBRARY_PATH="$work/damaged"
  try 0 run bouncing-ball --scheme moreau-jean --step 0.1 --end 1 --stats
  try 1 run matrix-model "${chain[@]}" --scheme moreau-jean --step 1e-2 --end 0.1 --out none.csv
  in_err "libcholmod.so" "install SuiteSparse (Debian: libsuitesparse-dev)"
  [ ! -e none.csv ] || fail "a file that was not written is there"
  try 1 "${mesh[@]}"
  in_err "libumfpack.so" "install SuiteSparse"
fi
finish
