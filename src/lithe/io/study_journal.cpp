// The journal: a head with the fingerprint, then records of
//   length (4 bytes)  sum (8)  number (8)  count of outputs (4)  outputs (8 each)  error (the rest)
// where the length counts what follows the sum and the sum is that of these bytes. In the order of this machine's bytes.

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "lithe/io/read_results.hpp"
#include "lithe/io/replacing_file.hpp"
#include "lithe/io/source_files.hpp"
#include "lithe/io/study_results.hpp"

namespace lithe {
namespace {

constexpr std::string_view magic = "lithe journal 1\n";

/// FNV-1a with 64 bits, then the bits of the sum mixed: good enough to see torn and damaged records.
std::uint64_t sum_of(std::string_view bytes, std::uint64_t sum = 0xcbf29ce484222325ULL) {
  for (const char byte : bytes) sum = (sum ^ static_cast<unsigned char>(byte)) * 0x100000001b3ULL;
  return sum ^ (sum >> 29U);
}

template <class Number>
void append(std::string& bytes, Number value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

template <class Number>
bool take(std::string_view& bytes, Number& value) {
  if (bytes.size() < sizeof value) return false;
  std::memcpy(&value, bytes.data(), sizeof value);
  bytes.remove_prefix(sizeof value);
  return true;
}

/// The next record; false at the end, or where the bytes are not whole: then nothing is taken.
bool take_record(std::string_view& bytes, StudyJournal::Record& record) {
  std::string_view rest = bytes;
  std::uint32_t length = 0, count = 0;
  std::uint64_t sum = 0;
  std::int64_t number = 0;
  if (!take(rest, length) || !take(rest, sum) || rest.size() < length) return false;
  std::string_view body = rest.substr(0, length);
  if (sum_of(body) != sum || !take(body, number) || !take(body, count) || body.size() < count * sizeof(double))
    return false;
  record.number = number;
  record.variant.outputs.resize(count);
  for (double& output : record.variant.outputs) take(body, output);
  record.variant.error = body;
  bytes = rest.substr(length);
  return true;
}

}  // namespace

std::string fingerprint_of(const std::vector<std::string>& texts) {
  std::uint64_t a = 0xcbf29ce484222325ULL, b = 0x9e3779b97f4a7c15ULL;
  for (const std::string& text : texts) {
    const std::string framed = fmt::format("{}:", text.size()) + text;
    a = sum_of(framed, a);
    b = sum_of(framed, b);
  }
  return fmt::format("{:016x}{:016x}", a, b);
}

StudyJournal::StudyJournal(const std::string& path, const std::string& fingerprint, bool resume) : path_(path) {
  descriptor_ = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
  if (descriptor_ < 0) cannot_write(path, errno);
  struct flock whole {};
  whole.l_type = F_WRLCK;
  whole.l_whence = SEEK_SET;
  if (fcntl(descriptor_, F_OFD_SETLK, &whole) != 0 && (errno == EAGAIN || errno == EACCES)) {
    close(descriptor_);
    throw ResultsError(fmt::format(
        "{}: another sweep is writing it at this moment; wait for that one, or choose another output", path));
  }
  try {
    read(fingerprint, resume);
  } catch (...) {
    close(descriptor_);
    throw;
  }
}

StudyJournal::~StudyJournal() {
  if (descriptor_ >= 0) close(descriptor_);
}

void StudyJournal::read(const std::string& fingerprint, bool resume) {
  const io::FileText file = io::read_text_file(path_, io::largest_data_file);
  if (!file.fault.empty()) throw ResultsError(fmt::format("{}: cannot be read: {}", path_, file.fault));
  const std::string head = std::string(magic) + fingerprint + "\n";
  std::string_view bytes = file.text;
  // A sweep that was killed before its head was written has no results.
  const bool is_fresh = bytes.size() < head.size() && head.starts_with(bytes.substr(0, magic.size()));
  if (!is_fresh) {
    if (!bytes.starts_with(magic))
      throw ResultsError(fmt::format("{}: is not a journal of a study; remove it, or choose another output", path_));
    if (!bytes.starts_with(head)) {
      if (resume)
        throw ResultsError(
            fmt::format("{}: belongs to another study, or the study, its model or Lithe has changed since; "
                        "remove it to start anew",
                        path_));
      throw ResultsError(
          fmt::format("{}: a sweep that was interrupted has left it, of another state of the study; remove "
                      "it to start anew",
                      path_));
    }
    bytes.remove_prefix(head.size());
    for (Record record; take_record(bytes, record);) records_.push_back(std::move(record));
    if (!resume && !records_.empty())
      throw ResultsError(
          fmt::format("{}: a sweep that was interrupted has left {} variants there; go on with --resume, or "
                      "remove it to start anew",
                      path_, records_.size()));
  }
  // The bytes of a torn record go.
  const auto end = static_cast<off_t>(is_fresh ? 0 : file.text.size() - bytes.size());
  if (ftruncate(descriptor_, end) != 0 || lseek(descriptor_, end, SEEK_SET) < 0) cannot_write(path_, errno);
  if (!is_fresh) return;
  if (const int fault = write_all(descriptor_, head); fault != 0) cannot_write(path_, fault);
}

void StudyJournal::add(long number, const Variant& variant) {
  std::string body;
  append(body, static_cast<std::int64_t>(number));
  append(body, static_cast<std::uint32_t>(variant.outputs.size()));
  for (const double output : variant.outputs) append(body, output);
  body += variant.error;
  std::string record;
  append(record, static_cast<std::uint32_t>(body.size()));
  append(record, sum_of(body));
  if (const int fault = write_all(descriptor_, record + body); fault != 0)
    throw ResultsError(
        fmt::format("cannot write '{}': {}; what has been computed is kept: make room, then the same "
                    "with --resume (resume=True) goes on",
                    path_, std::strerror(fault)));
}

void StudyJournal::remove() { unlink(path_.c_str()); }

}  // namespace lithe
