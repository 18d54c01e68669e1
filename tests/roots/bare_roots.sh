#!/bin/bash
# bare_roots.sh [--only 12|13]... [--mirror URL] [--from COMMIT] FOLDER
# The wheel of the Python package, the pages, ./demo and ./check in a bare Debian 12 and a bare Debian 13, made in FOLDER by
# debootstrap (minbase), each with a fresh clone of this repository. The wheel is made by the commands of docs/reference/python.md
# (wheel.sh). The pages are README.md and those of the Guide: their commands are typed (pages.sh). ./demo and ./check install what they
# need. Reports for each what passed and what failed.
#
#   --only 12|13   this Debian alone (again: this one too)
#   --what wheel|pages|demo|check   this alone (again: this one too)
#   --mirror URL   where Debian's packages come from; also $DEBIAN_MIRROR; else http://deb.debian.org/debian
#   --from COMMIT  what the clones are of: what is committed, by default HEAD
#   $TIME_LIMIT    seconds for one command, by default 7200
#
# Needs root, debootstrap, git, unshare, 3 GB. Started again it goes on: a bare root that is whole is kept, and so is
# the result of a command that passed on the same commit. Everything that is mounted is mounted in a name space of its
# own and is gone with it, so that removing FOLDER removes no more than FOLDER.
# Exit status: 0 all passed, 1 something failed, 2 the request is wrong.
# SPDX-License-Identifier: GPL-3.0-or-later
set -euo pipefail

say() { printf '%s\n' "$*"; }
refuse() {
  printf 'bare_roots.sh: %s\n' "$*" >&2
  exit 2
}

mirror=${DEBIAN_MIRROR:-http://deb.debian.org/debian}
limit=${TIME_LIMIT:-7200}
from=HEAD
only=()
what=()
folder=""
while [ $# -gt 0 ]; do
  case $1 in
    --only | --what | --mirror | --from) [ $# -gt 1 ] || refuse "$1 needs a value" ;;
  esac
  case $1 in
    --only) only+=("$2") && shift ;;
    --what) what+=("$2") && shift ;;
    --mirror) mirror=$2 && shift ;;
    --from) from=$2 && shift ;;
    -*) refuse "unknown option $1" ;;
    *)
      [ -z "$folder" ] || refuse "one folder, please: $folder or $1?"
      folder=$1
      ;;
  esac
  shift
done
[ -n "$folder" ] || refuse "in which folder?"
[ ${#only[@]} -gt 0 ] || only=(12 13)
[ ${#what[@]} -gt 0 ] || what=(wheel pages demo check)

suite_of() { # Debian's version -> its name
  case $1 in
    12) say bookworm ;;
    13) say trixie ;;
    *) refuse "Debian $1 is not known; 12 and 13 are" ;;
  esac
}
for debian in "${only[@]}"; do
  suite_of "$debian" >/dev/null
done
command_of() { # name -> its command
  case $1 in
    wheel | pages) say "bash tests/roots/$1.sh" ;;
    demo | check) say "./$1" ;;
    *) refuse "$1 is not known; wheel, pages, demo and check are" ;;
  esac
}
for name in "${what[@]}"; do
  command_of "$name" >/dev/null
done
[ "$(id -u)" -eq 0 ] || refuse "must be run by root: it makes roots and changes into them"
for needed in debootstrap git unshare chroot timeout; do
  command -v $needed >/dev/null || refuse "$needed is missing"
done
source=$(cd "$(dirname "$0")/../.." && pwd -P)
commit=$(git -C "$source" rev-parse --verify --quiet "$from^{commit}") || refuse "no commit $from in $source"
mkdir -p "$folder"
folder=$(cd "$folder" && pwd -P)
[ "$folder" != / ] || refuse "not in / itself"
exec 9>"$folder/lock"
flock -n 9 || refuse "$folder is in use by another run"

# remove ROOT: with all that is in it, unless something is mounted there.
remove() {
  ! grep -q " $1/" /proc/self/mountinfo || refuse "something is mounted below $1: unmount it first"
  rm -rf --one-file-system "$1"
}

make_bare() { # DEBIAN: $folder/debian-N.bare, whole or not there
  local bare=$folder/debian-$1.bare suite
  suite=$(suite_of "$1")
  [ ! -d "$bare" ] || return 0
  say "Debian $1: making a bare root from $mirror ..."
  remove "$bare.part"
  if ! debootstrap --variant=minbase "$suite" "$bare.part" "$mirror" >"$folder/debian-$1.debootstrap.log" 2>&1; then
    tail -n 5 "$folder/debian-$1.debootstrap.log"
    return 1
  fi
  say force-unsafe-io >"$bare.part/etc/dpkg/dpkg.cfg.d/no-sync" # the root may be lost: it is quicker without waiting for the disk
  mv "$bare.part" "$bare"
}

make_root() { # DEBIAN: $folder/debian-N, bare but for the clone
  local root=$folder/debian-$1
  remove "$root"
  cp -a "$root.bare" "$root"
  cp -L /etc/resolv.conf "$root/etc/resolv.conf"
  git clone -q --no-hardlinks "$source" "$root/root/delassus"
  git -C "$root/root/delassus" -c advice.detachedHead=false checkout -q "$commit"
  say "$commit" >"$root.commit"
}

# inside ROOT COMMAND: with /proc, /sys, /dev of its own; the processes end with the command, the mounts with them.
# A job with a process group of its own, so that it may be interrupted, and is when this script is.
set -m
job=""
trap '[ -z "$job" ] || { kill -TERM "$job"; wait "$job"; } 2>/dev/null; exit 143' INT TERM HUP
inside() {
  # shellcheck disable=SC2016 # $1, $2: the inner shell's
  timeout --kill-after=5 "$limit" unshare --mount --pid --fork --kill-child --propagation private sh -eu -c '
    mount -t proc proc "$1/proc"
    mount -t sysfs -o ro sysfs "$1/sys"
    mount --rbind /dev "$1/dev"
    mount -t tmpfs tmpfs "$1/run"
    exec chroot "$1" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 TERM=dumb \
      ${http_proxy:+http_proxy="$http_proxy"} ${https_proxy:+https_proxy="$https_proxy"} \
      sh -c "cd /root/delassus && exec nice $2"' inside "$1" "$2" </dev/null &
  job=$!
  local status=0
  wait "$job" || status=$?
  job=""
  return $status
}

# try DEBIAN NAME: runs its command unless it has passed on this commit. -> 0, or 1: failed
try() {
  local command stem=$folder/debian-$1.$2 begin=$SECONDS status=0
  command=$(command_of "$2")
  if [ "$(cat "$stem.passed" 2>/dev/null)" = "$commit" ]; then
    say "Debian $1: $command passed before"
    return 0
  fi
  rm -f "$stem.passed"
  if [ "$2" != check ] || [ "$(cat "$folder/debian-$1.commit" 2>/dev/null)" != "$commit" ]; then
    make_root "$1" # what an interrupted command has left behind is not bare
  fi
  inside "$folder/debian-$1" "$command" >"$stem.log" 2>&1 || status=$?
  if [ $status -ne 0 ]; then
    say "Debian $1: $command FAILED with exit status $status after $((SECONDS - begin)) s; the end of $stem.log:"
    tail -n 25 "$stem.log" | sed 's/^/    /'
    return 1
  fi
  say "$commit" >"$stem.passed"
  say "Debian $1: $command passed in $((SECONDS - begin)) s"
}

failed=0
say "Commit $commit, in $folder"
[ -z "$(git -C "$source" status --porcelain)" ] || say "(what is not committed is not tried)"
for debian in "${only[@]}"; do
  make_bare "$debian" || { failed=1 && continue; }
  for name in "${what[@]}"; do
    try "$debian" "$name" || failed=1
  done
done
case $failed in
  0) say "All passed." ;;
  *) say "Something failed." ;;
esac
exit $failed
