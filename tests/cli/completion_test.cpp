// Completion of shells: complete by construction, and tried in bash.

#include <gtest/gtest.h>

#include <regex>

#include "cli/program.hpp"

namespace lithe::testing {
namespace {

/// Verbs as `lithe --help` lists them.
std::vector<std::string> listed_verbs() {
  const std::string help = lithe({"--help"}).out;
  const std::string list = help.substr(help.find("Subcommands:"));
  std::vector<std::string> verbs;
  const std::regex line("\n  ([a-z]+) ");
  for (std::sregex_iterator at(list.begin(), list.end(), line), end; at != end; ++at) verbs.push_back((*at)[1]);
  return verbs;
}

/// Long flags in the help of a verb.
std::vector<std::string> listed_flags(const std::string& verb) {
  std::string help = lithe({verb, "--help"}).out;
  help = help.substr(0, help.find("Example:"));
  std::vector<std::string> flags;
  const std::regex flag("\n  (?:-[a-z],)?(--[a-z-]+)");
  for (std::sregex_iterator at(help.begin(), help.end(), flag), end; at != end; ++at) flags.push_back((*at)[1]);
  return flags;
}

TEST(Completion, KnowsEveryVerbAndFlagOfTheHelp) {
  const std::string bash = lithe({"completion", "bash"}).out, zsh = lithe({"completion", "zsh"}).out,
                    fish = lithe({"completion", "fish"}).out;
  const std::vector<std::string> verbs = listed_verbs();
  ASSERT_GE(verbs.size(), 15U);
  for (const std::string& verb : verbs) {
    EXPECT_NE(bash.find("\n    " + verb + ") if"), std::string::npos) << verb;
    EXPECT_NE(zsh.find("\n    '" + verb + ":"), std::string::npos) << verb;
    EXPECT_NE(fish.find("-a " + verb + " -d"), std::string::npos) << verb;
    const std::size_t at = bash.find("\n    " + verb + ") if");
    const std::string offered = bash.substr(at, bash.find('\n', at + 1) - at);
    const std::vector<std::string> flags = listed_flags(verb);
    EXPECT_GE(flags.size(), 3U) << verb;
    for (const std::string& flag : flags) {
      EXPECT_NE((offered + " ").find(flag), std::string::npos) << verb << " " << flag;
      EXPECT_NE(zsh.find("'" + flag + "["), std::string::npos) << verb << " " << flag;
      EXPECT_NE(fish.find(" -l " + flag.substr(2)), std::string::npos) << verb << " " << flag;
    }
  }
}

/// What bash would offer after these words, in a folder with a model, a result, a folder and other things.
std::vector<std::string> offered_by_bash(const std::vector<std::string>& words) {
  const Folder folder;
  for (const char* name : {"arm.yaml", "two words.yaml", "run.h5", "notes.txt", "robot.urdf"})
    write_text(folder.file(name), "");
  std::filesystem::create_directory(folder.file("models"));
  const std::string script = folder.file(".script"), answer = folder.file(".answer");
  write_text(script, lithe({"completion", "bash"}).out);
  std::string list;
  for (const std::string& word : words) list += " '" + word + "'";
  const std::string command = "cd '" + folder.file("") +
                              "' && bash --norc -c 'source .script; complete -p lithe >/dev/null || exit 1; "
                              "COMP_WORDS=(\"$@\"); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _lithe; printf \"%s\\n\" "
                              "\"${COMPREPLY[@]}\" | sort -u' bash" +
                              list + " > .answer 2>&1";
  EXPECT_EQ(std::system(command.c_str()), 0) << read_text(answer);
  std::vector<std::string> found;
  std::istringstream lines(read_text(answer));
  for (std::string line; std::getline(lines, line);)
    if (!line.empty()) found.push_back(line);
  return found;
}

using Words = std::vector<std::string>;

TEST(Completion, InBash) {
  EXPECT_EQ(offered_by_bash({"lithe", "si"}), Words{"simulate"});
  EXPECT_EQ(offered_by_bash({"lithe", "--ver"}), (Words{"--verbose", "--version"}));
  EXPECT_EQ(offered_by_bash({"lithe", "check", ""}), (Words{"arm.yaml", "models", "two words.yaml"}));
  EXPECT_EQ(offered_by_bash({"lithe", "show", ""}), (Words{"arm.yaml", "models", "run.h5", "two words.yaml"}));
  EXPECT_EQ(offered_by_bash({"lithe", "convert", "r"}), Words{"robot.urdf"});
  EXPECT_EQ(offered_by_bash({"lithe", "simulate", "arm.yaml", "--integrator", "d"}), (Words{"dopri", "dopri5-fixed"}));
  EXPECT_EQ(offered_by_bash({"lithe", "--quiet", "simulate", "arm.yaml", "--un"}), Words{"--until"});
  EXPECT_EQ(offered_by_bash({"lithe", "simulate", "arm.yaml", "--until", ""}), Words{});
  EXPECT_EQ(offered_by_bash({"lithe", "new", "f"}), Words{"five-bar"});
  EXPECT_EQ(offered_by_bash({"lithe", "completion", ""}), (Words{"bash", "fish", "zsh"}));
}

TEST(Completion, OtherShellsAreBadInput) {
  const Answer answer = lithe({"completion", "tcsh"});
  EXPECT_EQ(answer.exit_code, 2);
  EXPECT_EQ(answer.err, "lithe: error: no completion for 'tcsh'; there is bash, zsh and fish\n");
}

}  // namespace
}  // namespace lithe::testing
