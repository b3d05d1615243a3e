#pragma once
// Studies on disk: the journal of a sweep under way, from which it can go on, and its results.

#include <memory>
#include <string>
#include <vector>

#include "lithe/study/sweep.hpp"

namespace lithe {

/// The variants of a sweep as they are finished, one record each, in any order. Whatever kills the program, and when:
/// the records before the last one are whole, and a last one that is not is found by its sum and left out.
class StudyJournal {
 public:
  /// `fingerprint`: of everything that the results depend on. A journal of another study is refused, and one that is
  /// there is refused unless `resume` says that it is to be continued. Throws ResultsError.
  StudyJournal(const std::string& path, const std::string& fingerprint, bool resume);
  ~StudyJournal();
  StudyJournal(const StudyJournal&) = delete;
  StudyJournal& operator=(const StudyJournal&) = delete;

  struct Record {
    long number = 0;
    Variant variant;
  };
  /// What was there when it was opened.
  const std::vector<Record>& records() const { return records_; }
  void add(long number, const Variant& variant);  ///< throws ResultsError
  void remove();                                  ///< after the results are safe

 private:
  void read(const std::string& fingerprint, bool resume);
  std::string path_;
  int descriptor_ = -1;
  std::vector<Record> records_;
};

/// A short text that differs when one of the texts does.
std::string fingerprint_of(const std::vector<std::string>& texts);

/// What belongs to a study beside its table.
struct StudyRecord {
  std::string name, path, text, method;
  std::string model_path, model_text;  ///< flattened; empty: none
  std::string analysis;                ///< JSON
  std::string outcome;                 ///< "complete", or why not
};

/// Before the work: throws ResultsError when results or table (empty: none) could not be written after it,
/// because of a folder that does not exist, one name for both, a file of `inputs`, ...
void require_study_files(const std::string& hdf5, const std::string& csv, const std::vector<std::string>& inputs);

/// /axes, /outputs (names), /values and /results (rows x columns), /failures (number and message of variants with an
/// error); written under another name and renamed. `inputs` are not replaced. Throw ResultsError.
void write_study_hdf5(const std::string& path, const StudyRecord& record, const StudyTable& table,
                      const std::vector<std::string>& inputs);
/// One line per variant: its number, axes, outputs, error. Numbers read back as the same.
void write_study_csv(const std::string& path, const StudyTable& table, const std::vector<std::string>& inputs);

/// Results of a study, read whole.
struct StoredStudy {
  std::string path, version;  ///< version of Lithe that wrote it
  StudyRecord record;
  StudyTable table;
};
/// Whether the file holds results of a study; false for one that cannot be read.
bool is_study_results(const std::string& path);
/// Throws ResultsError.
StoredStudy read_study_results(const std::string& path);

}  // namespace lithe
