#!/usr/bin/env bash
# Installs the build tree into a scratch folder, builds the project of docs/cpp.md against it with find_package(lithe) and
# compares the version that it prints; configures the lines of the README. Arguments: cmake, build folder, version.
set -euo pipefail
cmake=$1 build=$2 version=$3
root=$(cd -- "$(dirname -- "$0")/../.." && pwd)
scratch=$(mktemp -d)
trap 'rm -rf -- "$scratch"' EXIT
block() { /usr/bin/python3 "$root/tests/docs/run_blocks.py" --print "$1" cmake; }

"$cmake" --install "$build" --prefix "$scratch/prefix" >/dev/null
mkdir "$scratch/consumer"
cp "$root/tests/install/consumer.cpp" "$scratch/consumer"
block docs/cpp.md >"$scratch/consumer/CMakeLists.txt"
"$cmake" -S "$scratch/consumer" -B "$scratch/build" -G Ninja -DCMAKE_PREFIX_PATH="$scratch/prefix"
"$cmake" --build "$scratch/build"
printed=$("$scratch/build/consumer")
[[ $printed == "$version" ]] || { echo "the consumer printed '$printed', not '$version'"; exit 1; }

# The README has only what is new in a project of one's own. A library that is not there fails when it is configured.
cat >"$scratch/consumer/CMakeLists.txt" <<'PROJECT'
cmake_minimum_required(VERSION 3.25)
project(mine LANGUAGES CXX)
add_executable(my_program consumer.cpp)
include(readme.cmake)
PROJECT
block README.md >"$scratch/consumer/readme.cmake"
"$cmake" -S "$scratch/consumer" -B "$scratch/readme" -G Ninja -DCMAKE_PREFIX_PATH="$scratch/prefix"

# The examples are such a project too; one of them stands for all, which the tests build within Lithe.
examples=$root/examples
"$cmake" -S "$examples/cpp" -B "$scratch/examples" -G Ninja -DCMAKE_PREFIX_PATH="$scratch/prefix"
"$cmake" --build "$scratch/examples" --target example_load_and_simulate
"$scratch/examples/load_and_simulate" "$examples"
