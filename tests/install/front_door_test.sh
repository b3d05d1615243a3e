#!/usr/bin/env bash
# What ./lithe says and refuses without building anything. Arguments: source folder, build folder.
set -euo pipefail
lithe=$1/lithe build=$2
scratch=$(mktemp -d)
trap 'rm -rf -- "$scratch"' EXIT
fail() { echo "$*"; exit 1; }

# Help needs neither packages nor a build.
help=$(LITHE_BUILD_DIR=$scratch/none "$lithe" help)
for word in demo test python bench docs clean LITHE_BUILD_DIR LITHE_NO_INSTALL LITHE_VIEWER; do
  [[ $help == *"$word"* ]] || fail "help does not mention $word"
done
[[ ! -e $scratch/none ]] || fail "help made a build folder"

# clean removes build folders only.
mkdir "$scratch/photos"
touch "$scratch/photos/holiday"
if message=$(LITHE_BUILD_DIR=$scratch/photos "$lithe" clean 2>&1); then fail "clean removed a folder that is no build"; fi
[[ $message == *"does not look like a build folder"* && -e $scratch/photos/holiday ]] || fail "clean: $message"
mkdir "$scratch/build"
touch "$scratch/build/CMakeCache.txt"
LITHE_BUILD_DIR=$scratch/build "$lithe" clean
[[ ! -e $scratch/build ]] || fail "clean left the build folder"

# A build that cannot work: exit code 3, the tool's own words, nothing on stdout.
mkdir "$scratch/broken"
echo 'LITHE_VIEWER:BOOL=OFF' >"$scratch/broken/CMakeCache.txt"
echo 'rule nonsense' >"$scratch/broken/build.ninja"
code=0
LITHE_NO_INSTALL=1 LITHE_VIEWER=OFF LITHE_BUILD_DIR=$scratch/broken "$lithe" check >"$scratch/out" 2>"$scratch/err" || code=$?
[[ $code == 3 && ! -s $scratch/out ]] || fail "exit code $code, stdout: $(<"$scratch/out")"
grep -q 'build.ninja' "$scratch/err" || fail "the build's own message is missing: $(<"$scratch/err")"

# The Python module of a build that is up to date: a line to set the path, or a script with it.
if grep -q '^LITHE_PYTHON_MODULE:BOOL=ON' "$build/CMakeCache.txt" && [[ -f $build/build.ninja ]]; then
  export LITHE_NO_INSTALL=1 LITHE_BUILD_DIR=$build
  line=$("$lithe" python 2>"$scratch/err") || fail "./lithe python: $(<"$scratch/err")"
  [[ $line == "export PYTHONPATH=$build/python"* ]] || fail "./lithe python printed: $line"
  (eval "$line" && cd / && /usr/bin/python3 -c 'import lithe') || fail "the line does not help: $line"
  echo 'import sys, lithe; print(lithe.__name__, sys.argv[1]); sys.exit(7)' >"$scratch/script.py"
  code=0
  said=$("$lithe" python "$scratch/script.py" argument) || code=$?
  [[ $code == 7 && $said == 'lithe argument' ]] || fail "the script ended with $code and said: $said"
fi
