#!/usr/bin/env bash
# Installs the build tree into a scratch folder, builds the project of docs/cpp.md against it with find_package(lithe) and
# compares the version that it prints; builds the program of the README with CMake and pkg-config; looks at the manual page.
# Arguments: cmake, build folder, version.
set -euo pipefail
cmake=$1 build=$2 version=$3
root=$(cd -- "$(dirname -- "$0")/../.." && pwd)
scratch=$(mktemp -d)
trap 'rm -rf -- "$scratch"' EXIT
block() { /usr/bin/python3 "$root/tests/docs/run_blocks.py" --print "$1" "${2:-cmake}"; }

"$cmake" --install "$build" --prefix "$scratch/prefix" >/dev/null
mkdir "$scratch/consumer"
cp "$root/tests/install/consumer.cpp" "$scratch/consumer"
block docs/cpp.md >"$scratch/consumer/CMakeLists.txt"
"$cmake" -S "$scratch/consumer" -B "$scratch/build" -G Ninja -DCMAKE_PREFIX_PATH="$scratch/prefix"
"$cmake" --build "$scratch/build"
printed=$("$scratch/build/consumer")
[[ $printed == "$version" ]] || { echo "the consumer printed '$printed', not '$version'"; exit 1; }

# The README has only what is new in a project of one's own: its CMake lines and its program, as printed, on its model.
mkdir "$scratch/mine"
cat >"$scratch/mine/CMakeLists.txt" <<'PROJECT'
cmake_minimum_required(VERSION 3.25)
project(mine LANGUAGES CXX)
add_executable(my_program my_program.cpp)
include(readme.cmake)
PROJECT
block README.md >"$scratch/mine/readme.cmake"
block README.md cpp >"$scratch/mine/my_program.cpp"
block README.md yaml >"$scratch/mine/four-bar.yaml"
"$cmake" -S "$scratch/mine" -B "$scratch/readme" -G Ninja -DCMAKE_PREFIX_PATH="$scratch/prefix"
"$cmake" --build "$scratch/readme"
by_cmake=$(cd "$scratch/mine" && "$scratch/readme/my_program")
[[ $by_cmake == *" N m" ]] || { echo "the program of the README printed '$by_cmake'"; exit 1; }

# The same with pkg-config, with and without --static, from the installed tree and from one that was moved: its flags find
# every header, and the program that CMake has compiled links and runs with its libraries.
if command -v pkg-config >/dev/null; then
  mv "$scratch/prefix" "$scratch/moved"
  PKG_CONFIG_PATH=$(dirname "$(find "$scratch/moved" -name lithe.pc)")
  export PKG_CONFIG_PATH
  [[ $(pkg-config --modversion lithe) == "$version" ]] || { echo "lithe.pc has another version"; exit 1; }
  # shellcheck disable=SC2046  # flags are words
  g++ -std=c++20 -E "$scratch/mine/my_program.cpp" $(pkg-config --cflags lithe) -o /dev/null
  compiled=$(find "$scratch/readme" -name 'my_program.cpp.o')
  # shellcheck disable=SC2046
  g++ "$compiled" $(pkg-config --libs lithe) -o "$scratch/by-pkg-config"
  [[ $(pkg-config --libs --static lithe) == *-llithe* ]] || { echo "lithe.pc lacks the library"; exit 1; }
  by_pkg_config=$(cd "$scratch/mine" && "$scratch/by-pkg-config")
  [[ $by_pkg_config == "$by_cmake" ]] || { echo "with pkg-config: '$by_pkg_config', with CMake: '$by_cmake'"; exit 1; }
  mv "$scratch/moved" "$scratch/prefix"
fi

# The umbrella header has every other one.
(cd "$scratch/prefix/include" && find lithe -name '*.hpp' ! -path lithe/lithe.hpp) | while read -r header; do
  grep -q "#include \"$header\"" "$scratch/prefix/include/lithe/lithe.hpp" || { echo "lithe.hpp lacks $header"; exit 1; }
done

# The manual page has every verb and can be read by man.
page=$(find "$scratch/prefix" -name 'lithe.1*')
[[ -n $page ]] || { echo "there is no manual page"; exit 1; }
text=$(zcat -f "$page")
for word in 'SH NAME' 'SS simulate' 'SS convert' 'SH EXIT STATUS' 'SH FILES'; do
  [[ $text == *".$word"* ]] || { echo "the manual page lacks $word"; exit 1; }
done
if command -v man >/dev/null; then
  warnings=$(zcat -f "$page" | MANWIDTH=100 man --warnings -E UTF-8 -l - 2>&1 >/dev/null)
  [[ -z $warnings ]] || { echo "man says: $warnings"; exit 1; }
fi

# The examples are such a project too; one of them stands for all, which the tests build within Lithe.
examples=$root/examples
"$cmake" -S "$examples/cpp" -B "$scratch/examples" -G Ninja -DCMAKE_PREFIX_PATH="$scratch/prefix"
"$cmake" --build "$scratch/examples" --target example_load_and_simulate
"$scratch/examples/load_and_simulate" "$examples"
