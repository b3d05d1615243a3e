#!/usr/bin/env bash
# Installs the build tree into a scratch folder, builds a small C++-only project against it with find_package(lithe) and
# compares the version that it prints. Arguments: cmake, build folder, version.
set -euo pipefail
cmake=$1 build=$2 version=$3
scratch=$(mktemp -d)
trap 'rm -rf -- "$scratch"' EXIT

"$cmake" --install "$build" --prefix "$scratch/prefix" >/dev/null
"$cmake" -S "$(dirname -- "$0")/consumer" -B "$scratch/build" -G Ninja -DCMAKE_PREFIX_PATH="$scratch/prefix"
"$cmake" --build "$scratch/build"
printed=$("$scratch/build/consumer")
[[ $printed == "$version" ]] || { echo "the consumer printed '$printed', not '$version'"; exit 1; }

# The examples are such a project too; one of them stands for all, which the tests build within Lithe.
examples=$(dirname -- "$0")/../../examples
"$cmake" -S "$examples/cpp" -B "$scratch/examples" -G Ninja -DCMAKE_PREFIX_PATH="$scratch/prefix"
"$cmake" --build "$scratch/examples" --target example_load_and_simulate
"$scratch/examples/load_and_simulate" "$examples"
