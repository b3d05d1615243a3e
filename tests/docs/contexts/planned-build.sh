# A clone in which builds and test runs are planned, not done: the commands of the page are run as printed, the presets are
# configured, and every target and test preset must exist; what would take minutes is only listed.
if [[ ! -d .tools ]]; then
  git clone --quiet https://your.host/lithe.git planned
  cd planned
  ln -s build-debug build  # any build folder has these targets
  mkdir .tools
  # ninja -n would stop at the check for new sources, before it looks at the target.
  cat >.tools/ninja <<'SCRIPT'
#!/bin/bash
if [[ $* == --version || " $* " == *" -t "* || $PWD == */CMakeFiles/* ]]; then exec /usr/bin/ninja "$@"; fi
exec /usr/bin/ninja -t commands "$@"
SCRIPT
  printf '#!/bin/bash\nexec /usr/bin/ctest -N "$@"\n' >.tools/ctest
  # The targets exist where the tools are; nothing of the plan is run.
  for tool in clang-format clang-tidy-19 run-clang-tidy-19; do
    [[ -x /usr/bin/$tool ]] || printf '#!/bin/false\n' >.tools/$tool
  done
  chmod +x .tools/*
fi
export PATH=$PWD/.tools:$PATH
