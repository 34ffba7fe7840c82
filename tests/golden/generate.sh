#!/usr/bin/env bash
# One seed gives the same bytes on every machine and in every build: what it gives is stored as a hash for each language.
# A change of a generator changes it. Then raise EW_GENERATOR_VERSION (src/generate/generate.h) if a version with the old one was
# released, and store the new hashes:  EDGEWISE=build/edgewise tests/golden/generate.sh --update
set -u
program=${EDGEWISE:?names the program}
stored=tests/golden/generate.sha256
export EDGEWISE_ENGINES=$PWD/engines

hashes() {
  local language
  for language in cypher datalog; do
    "$program" generate "$language" --seed 7 --count 1000 >"$work/$language" || exit 1
    [ -s "$work/$language" ] || exit 1
    echo "$language $(sha256sum <"$work/$language" | cut -d' ' -f1)"
  done
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
if [ "${1:-}" = --update ]; then
  hashes >"$stored.new" && mv "$stored.new" "$stored"
  exit
fi
hashes >"$work/now" || { echo "generate failed"; exit 1; }
diff "$stored" "$work/now" && exit 0
echo "generated other bytes than $stored says; $0 tells what to do where that is meant"
exit 1
