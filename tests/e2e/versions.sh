#!/usr/bin/env bash
# retest and bisect on an engine whose versions are made here: `scripted` with and without its planted faults. The version is
# in the profile that a version has (profile-VERSION.ini); nothing is installed.
set -u
root=$PWD
program=${EDGEWISE:?names the program}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
export XDG_CACHE_HOME=$work/cache XDG_STATE_HOME=$work/state NO_COLOR=1 EDGEWISE_ENGINES=$work/engines
cp -r "$root/engines" engines
failed=0
check() { # check CODE PATTERN ARGUMENT…
  local code=$1 pattern=$2 got
  shift 2
  said=$("$program" "$@" 2>&1 </dev/null)
  got=$?
  if [ "$got" != "$code" ] || ! grep -Eq -- "$pattern" <<<"$said"; then
    failed=$((failed + 1))
    printf 'edgewise %s\n  ended with %s, wanted %s and /%s/; it said:\n%s\n' "$*" "$got" "$code" "$pattern" "$said"
  fi
}
has() { grep -Eq -- "$1" "$2" || { failed=$((failed + 1)); echo "no /$1/ in $2"; }; }

# Versions 1 to 9 are published; faults came with version 6; version 5 refuses everything.
printf '#!/bin/sh\n[ "$1" = versions ] || exit 2\nfor v in 9 8 7 6 5 4 3 2 1; do echo $v; done\n' >engines/scripted/install
chmod +x engines/scripted/install
for version in 1 2 3 4; do sed '/^when/d' engines/scripted/profile.ini >engines/scripted/profile-$version.ini; done
sed -e '/^when/d' -e 's/^otherwise = .*/otherwise = ERROR refused here/' engines/scripted/profile.ini >engines/scripted/profile-5.ini

check 1 'groups? of findings' hunt scripted@8 --oracle survive --seed 3 --tests 120 --workers 1 --ui none --out run
count=$(ls run/findings | wc -l)
check 0 '^1$' engines versions scripted
check 64 'did you mean versions' engines version scripted

check 1 "$count findings of run on scripted 9: $count hold, 0 changed, 0 gone, 0 unclear" retest run scripted@9
check 0 "$count findings of run on scripted 2: 0 hold, 0 changed, $count gone, 0 unclear" retest run scripted@2
check 64 'there is no run' retest nowhere scripted@2
check 64 'retest wants RUN' retest run

id=$(grep -l 'no plan for' run/findings/*/finding.json | head -n 1 | xargs dirname)
[ -n "$id" ] || { failed=$((failed + 1)); echo 'the planted error was not found'; }
check 0 'shown first by 6, not by 4; 5 refuses the query or fails in another way; still in the newest, 9' bisect "$id"
has '"first": "6"' "$id/finding.json"
has '"good": "4"' "$id/finding.json"
has 'shown first by 6, not by 4' "$id/report.md"
check 0 'shown first by 6' show "$id"
check 1 'seen again' replay "$id"

# without faults in any version there is nothing to bisect
for version in 6 7 8 9; do cp engines/scripted/profile-1.ini engines/scripted/profile-$version.ini; done
check 64 'does not show on scripted 8' bisect "$id"
rm engines/scripted/install
check 64 'has nothing to install' bisect "$id"

echo "versions: $failed wrong"
[ "$failed" = 0 ]
