// How much the program says, and in which colours.

#include <gtest/gtest.h>
#include <pty.h>

#include "cli/program.hpp"

namespace lithe::testing {
namespace {

/// Everything that `lithe ARGUMENTS` writes to a terminal.
std::string on_a_terminal(std::vector<std::string> arguments, const char* no_color) {
  int terminal = -1;
  const pid_t process = forkpty(&terminal, nullptr, nullptr, nullptr);
  if (process == 0) {
    setenv("TERM", "xterm", 1);
    unsetenv("NO_COLOR");
    if (no_color != nullptr) setenv("NO_COLOR", no_color, 1);
    arguments.insert(arguments.begin(), program_path());
    std::vector<char*> argv;
    for (std::string& argument : arguments) argv.push_back(argument.data());
    argv.push_back(nullptr);
    execv(argv[0], argv.data());
    _exit(127);
  }
  std::string text;
  char buffer[4096];
  for (ssize_t count = 0; (count = read(terminal, buffer, sizeof buffer)) > 0;)
    text.append(buffer, static_cast<std::size_t>(count));
  close(terminal);
  waitpid(process, nullptr, 0);
  return text;
}

TEST(Colours, OnATerminalOnlyAndNotWithNoColor) {
  const std::string red = "\033[1;31mlithe: error:\033[0m nowhere.yaml: no such file";
  EXPECT_NE(on_a_terminal({"check", "nowhere.yaml"}, nullptr).find(red), std::string::npos);
  EXPECT_NE(on_a_terminal({"check", "nowhere.yaml"}, "").find(red), std::string::npos);
  const std::string plain = on_a_terminal({"check", "nowhere.yaml"}, "1");
  EXPECT_NE(plain.find("lithe: error: nowhere.yaml: no such file"), std::string::npos) << plain;
  EXPECT_EQ(plain.find('\033'), std::string::npos);
  EXPECT_EQ(lithe({"check", "nowhere.yaml"}).err.find('\033'), std::string::npos);
}

TEST(Quiet, PrintsNothingWhenAllIsWell) {
  const Folder folder;
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"--quiet", "simulate", example("four-bar"), "-o", folder.file("a.h5")},
        std::vector<std::string>{"check", example("four-bar"), "-q"}}) {
    const Answer answer = lithe(words);
    EXPECT_EQ(answer.exit_code, 0);
    EXPECT_EQ(answer.out, "");
    EXPECT_EQ(answer.err, "");
  }
  EXPECT_TRUE(std::filesystem::exists(folder.file("a.h5")));
}

TEST(Quiet, KeepsErrorsAndProducts) {
  const Answer singular = lithe({"simulate", example("singular-pose"), "--quiet"});
  EXPECT_EQ(singular.exit_code, 1);
  EXPECT_EQ(singular.out, "");
  EXPECT_TRUE(singular.err.starts_with("lithe: error: loop ")) << singular.err;
  EXPECT_EQ(lithe({"schema", "--quiet"}).out, lithe({"schema"}).out);
  EXPECT_EQ(lithe({"check", example("four-bar"), "--json", "--quiet"}).json()["ok"], true);
}

TEST(Verbose, AddsTheTimeSplitAndTheOptionsInForce) {
  const Folder folder;
  const Answer answer = lithe({"simulate", example("five-bar"), "--set", "push=7", "--rtol", "1e-6", "--until", "0.1",
                               "--rigid", "--verbose", "-o", folder.file("a.h5")});
  EXPECT_EQ(answer.exit_code, 0) << answer.err;
  for (const char* words :
       {"options in force", "every link rigid", "parameter push   7", "rtol 1e-06", "formulation      noc",
        "0 to 0.1 s", "\n  load ", "\n  plan ", "\n  assemble ", "\n  integrate ", "\n  write "})
    EXPECT_NE(answer.out.find(words), std::string::npos) << words << "\n" << answer.out;

  const nlohmann::json times =
      lithe({"--verbose", "simulate", example("five-bar"), "--json", "-o", folder.file("b.h5")}).json()["times"];
  EXPECT_EQ(times.size(), 5U);
  for (const auto& [part, seconds] : times.items()) EXPECT_GE(seconds.get<double>(), 0.0) << part;
  EXPECT_GT(times["write"].get<double>(), 0.0);
  EXPECT_FALSE(lithe({"simulate", example("five-bar"), "--json", "--until", "0.01"}).json().contains("times"));
}

TEST(Verbose, AndQuietContradict) {
  const Answer answer = lithe({"check", example("four-bar"), "--quiet", "--verbose"});
  EXPECT_EQ(answer.exit_code, 2);
  EXPECT_NE(answer.err.find("excludes"), std::string::npos) << answer.err;
}

}  // namespace
}  // namespace lithe::testing
