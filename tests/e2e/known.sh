#!/usr/bin/env bash
# What a second hunt says of the first one's findings: known, muted, the baseline, and a state folder that cannot be written.
set -u
root=$PWD
program=${EDGEWISE:?names the program}
work=$(mktemp -d)
trap 'chmod -R u+w "$work"; rm -rf "$work"' EXIT
cd "$work" || exit 1
export XDG_CACHE_HOME=$work/cache XDG_STATE_HOME=$work/state NO_COLOR=1 EDGEWISE_ENGINES=$root/engines
failed=0

check() { # check CODE PATTERN ARGUMENT…: exit code, and a pattern that the output must match
  local code=$1 pattern=$2 got
  shift 2
  said=$("$program" "$@" 2>&1 </dev/null)
  got=$?
  if [ "$got" != "$code" ] || ! grep -Eq -- "$pattern" <<<"$said"; then
    failed=$((failed + 1))
    printf 'edgewise %s\n  ended with %s, wanted %s and /%s/; it said:\n%s\n' "$*" "$got" "$code" "$pattern" "$said"
  fi
}
never() { # never PATTERN: what the last check's output must not have
  grep -Eq -- "$1" <<<"$said" || return 0
  failed=$((failed + 1))
  printf 'there is /%s/ in:\n%s\n' "$1" "$said"
}
number() { sed -n "s/^  \"$2\": \([0-9]*\).*/\1/p" "$1/stats.json"; }
hunt=(hunt scripted --oracle survive --seed 3 --tests 120 --workers 1 --ui line)

check 1 '^found ' "${hunt[@]}" --out first
never 'known since'
groups=$(number first groups)
[ "$(number first new_groups)" = "$groups" ] && [ -f state/edgewise/known.db ] || { failed=$((failed + 1)); echo 'first: not all new'; }
causes=$(number first likely_causes)
[ "$causes" -ge 1 ] && [ "$causes" -le "$groups" ] || { failed=$((failed + 1)); echo "first: $causes causes of $groups groups"; }

# the same again: all is reported, nothing announced
check 1 "$groups groups of findings.*: 0 new, $groups known" "${hunt[@]}" --out second
never '^found '
grep -Eq 'known since [0-9]{4}-[0-9]{2}-[0-9]{2}' <<<"$said" || { failed=$((failed + 1)); echo "second: no day: $said"; }
[ "$(number second known_groups)" = "$groups" ] || { failed=$((failed + 1)); echo 'second: not all known'; }
[ "$(ls second/findings | wc -l)" = "$(ls first/findings | wc -l)" ] || { failed=$((failed + 1)); echo 'second: other findings'; }
id=$(ls second/findings | head -n 1)
grep -q '"known_since": "20' "second/findings/$id/finding.json" || { failed=$((failed + 1)); echo 'finding.json does not say since when'; }
check 0 'Known +since' show "second/findings/$id"

# a baseline: the same run has nothing new beyond itself, an empty one has nothing
check 0 'nothing that the baseline does not have' "${hunt[@]}" --baseline first --out third
mkdir -p empty/findings
check 1 "$groups that the baseline does not have" "${hunt[@]}" --baseline empty --out fourth
check 64 'there is no run' "${hunt[@]}" --baseline nowhere --out fifth

# muting: counted, kept, and no reason for exit code 1
check 0 'nothing is muted' mute
for each in second/findings/*; do check 0 '^muted: ' mute "$each" --note 'issue 12'; done
check 0 'issue 12' mute
check 0 "$groups muted" "${hunt[@]}" --out sixth
never '^found '
grep -q 'nothing but muted groups' <<<"$said" || { failed=$((failed + 1)); echo "sixth: $said"; }
[ "$(number sixth muted_groups)" = "$groups" ] || { failed=$((failed + 1)); echo 'sixth: not all muted'; }
check 0 '^no longer muted: ' unmute "${id:0:8}"
check 1 '1 known' "${hunt[@]}" --out seventh
check 64 "nothing is called 'ffffff0'" unmute ffffff0

# a state folder that cannot be written: a warning, and a hunt
XDG_STATE_HOME=/proc/none check 1 'warning: .*all findings count as new' "${hunt[@]}" --out eighth
XDG_STATE_HOME=/proc/none check 74 'cannot make the folder' mute

echo "known: $failed wrong"
[ "$failed" = 0 ]
