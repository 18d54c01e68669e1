# prepare.sh -- sourced by ./demo, ./check and .ci/run: install what is missing, configure, build.
# SPDX-License-Identifier: GPL-3.0-or-later

packages="gcc make cmake libsundials-dev libgsl-dev libsuitesparse-dev libyaml-dev gnuplot-nox fonts-dejavu-core"
built_test_packages="libcmocka-dev libmpfr-dev pkg-config python3" # to build the tests
test_packages="$built_test_packages g++ patchelf python3-venv python3-setuptools python3-wheel dpkg-dev groff-base file valgrind"

say() { printf '%s\n' "$*" >&2; }

missing_packages() { # names... -> those that dpkg does not know as installed
  for package in "$@"; do
    dpkg-query -W -f='${Status}\n' "$package" 2>/dev/null | grep -q '^install ok installed$' || printf '%s ' "$package"
  done
}

# need NAMES...: install what is missing, by apt, as root or with sudo; else say plainly what to install.
need() {
  if ! command -v dpkg-query >/dev/null 2>&1; then
    say "This is not a Debian-like system: make sure that these Debian packages' equivalents are there: $*"
    return 0
  fi
  missing=$(missing_packages "$@")
  [ -n "$missing" ] || return 0
  as_root=""
  if [ "$(id -u)" -ne 0 ]; then
    as_root="sudo"
    if ! command -v sudo >/dev/null 2>&1 || { [ ! -t 0 ] && ! sudo -n true 2>/dev/null; }; then
      say "Missing packages, and no right to install them. Run as root:"
      say "  apt-get install --no-install-recommends $missing"
      exit 1
    fi
  fi
  apt_log=$(mktemp "${TMPDIR:-/tmp}/delassus-apt.XXXXXX")
  say "Installing $missing(log: $apt_log) ..."
  export DEBIAN_FRONTEND=noninteractive
  # shellcheck disable=SC2086 # lists of words
  if ! { $as_root apt-get update -qq &&
    $as_root apt-get install -y -qq --no-install-recommends --no-upgrade $missing; } >"$apt_log" 2>&1; then
    tail -n 20 "$apt_log" >&2
    say "apt-get could not install: $missing"
    say "Check the network and the package sources, then run this command again."
    exit 1
  fi
}

# candidates NAMES... -> those that can be installed. One call for all of them: apt-cache reads its lists each time.
candidates() {
  [ $# -eq 0 ] || apt-cache policy "$@" 2>/dev/null | awk -F: '/^[^ ]/ { name = $1 } /^  Candidate: [^(]/ { print name }'
}

# need_known NAMES...: as need, without those that this Debian does not have (libflint-arb-dev is part of libflint-dev in Debian 13).
need_known() {
  if [ "$(id -u)" -eq 0 ] && [ -z "$(candidates gcc)" ]; then
    apt-get update -qq >&2 || true # no lists of packages yet
  fi
  # shellcheck disable=SC2046 # lists of words
  known=$(candidates $(missing_packages "$@"))
  # shellcheck disable=SC2086 # a list of words
  need $known
}

# progress LOG: the percents of a build that writes the log: each on a terminal, else every 25. Ends with the shell that started it.
progress() {
  shown=0
  while kill -0 $$ 2>/dev/null; do
    percent=$(sed -n 's/^\[ *\([0-9]*\)%\].*/\1/p' "$1" 2>/dev/null | tail -n 1)
    if [ "${percent:-0}" -gt "$shown" ]; then
      if [ -t 2 ]; then
        printf '\r  %3d %%' "$percent" >&2
        shown=$percent
      elif [ "$percent" -ge $((shown + 25)) ]; then
        say "  $percent %"
        shown=$percent
      fi
    fi
    sleep 1
  done
}

# build FOLDER [CMAKE-OPTIONS...]: configure and build; quiet but for the progress unless it fails.
build() {
  folder=$1
  shift
  mkdir -p "$folder"
  log="$folder/build.log"
  : >"$log"
  progress "$log" &
  watcher=$!
  built=0
  { cmake -S . -B "$folder" "$@" && cmake --build "$folder" --parallel "$(nproc)"; } >"$log" 2>&1 || built=$?
  kill "$watcher" 2>/dev/null || true
  wait "$watcher" 2>/dev/null || true
  [ ! -t 2 ] || printf '\r         \r' >&2
  if [ "$built" -ne 0 ]; then
    tail -n 40 "$log" >&2
    say "The build failed; the whole log is in $log"
    exit 1
  fi
}
