#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "lithe/io/read_results.hpp"
#include "lithe/io/study_results.hpp"

namespace lithe {
namespace {

class StudyJournalFile : public ::testing::Test {
 protected:
  std::string path_ =
      (std::filesystem::temp_directory_path() / ("lithe-journal-" + std::to_string(::getpid()))).string();
  void SetUp() override { std::filesystem::remove(path_); }
  void TearDown() override { std::filesystem::remove(path_); }

  std::string refusal(const std::string& fingerprint, bool resume) {
    try {
      StudyJournal(path_, fingerprint, resume);
    } catch (const ResultsError& error) {
      const std::string text = error.what();
      return text.substr(path_.size() + 2);
    }
    return "";
  }
};

TEST_F(StudyJournalFile, KeepsEveryWholeRecordWhereverItIsCut) {
  {
    StudyJournal journal(path_, "print", false);
    journal.add(7, {{1.5, std::nan("")}, ""});
    journal.add(3, {{}, "it failed"});
    journal.add(9, {{0.1, -0.0}, "distrusted"});
  }
  const auto size = std::filesystem::file_size(path_);
  std::ifstream whole(path_, std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(whole)), {});
  std::size_t most = 3;
  for (std::size_t length = size + 1; length-- > 0;) {
    std::ofstream(path_, std::ios::binary) << bytes.substr(0, length);
    const StudyJournal journal(path_, "print", true);
    ASSERT_LE(journal.records().size(), most) << length;
    most = journal.records().size();
    if (most > 0) {
      EXPECT_EQ(journal.records()[0].number, 7);
      EXPECT_EQ(journal.records()[0].variant.outputs[0], 1.5);
      EXPECT_TRUE(std::isnan(journal.records()[0].variant.outputs[1]));
    }
    if (most > 1) EXPECT_EQ(journal.records()[1].variant.error, "it failed");
    if (most > 2) EXPECT_TRUE(std::signbit(journal.records()[2].variant.outputs[1]));
  }
  EXPECT_EQ(most, 0U);
}

TEST_F(StudyJournalFile, GoesOnBehindATornRecord) {
  {
    StudyJournal journal(path_, "print", false);
    journal.add(0, {{1}, ""});
    journal.add(1, {{2}, ""});
  }
  std::filesystem::resize_file(path_, std::filesystem::file_size(path_) - 3);
  {
    StudyJournal journal(path_, "print", true);
    EXPECT_EQ(journal.records().size(), 1U);
    journal.add(2, {{3}, ""});
  }
  const StudyJournal journal(path_, "print", true);
  ASSERT_EQ(journal.records().size(), 2U);
  EXPECT_EQ(journal.records()[1].number, 2);
}

TEST_F(StudyJournalFile, RefusesWhatIsNotItsOwn) {
  {
    StudyJournal journal(path_, "print", false);
    EXPECT_EQ(refusal("print", true),
              "another sweep is writing it at this moment; wait for that one, or choose another output");
    journal.add(0, {{1}, ""});
  }
  EXPECT_EQ(refusal("other", true),
            "belongs to another study, or the study, its model or Lithe has changed since; remove it to start anew");
  EXPECT_EQ(refusal("print", false),
            "a sweep that was interrupted has left 1 variants there; go on with --resume, or remove it to start anew");
  std::ofstream(path_) << "something else";
  EXPECT_EQ(refusal("print", true), "is not a journal of a study; remove it, or choose another output");
}

}  // namespace
}  // namespace lithe
