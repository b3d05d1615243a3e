#pragma once
// The tables and link files that a model names: read from disk, or taken from a result that carries them.

#include <map>
#include <string>
#include <vector>

#include "lithe/io/source_files.hpp"

namespace lithe::io {

class DataFiles {
 public:
  std::map<std::string, std::string> carried;  ///< contents by path, in place of those on disk
  std::vector<std::string>* looked_for = nullptr;  ///< gets the paths of files on disk, of missing ones too

  /// The file that the scalar `name` of a model file stands for, at `path`.
  FileText read(const Node& name, const std::filesystem::path& path);

  /// A file that has been read, and the scalar that named it.
  struct Reading {
    Place place;
    std::string name, path;
  };
  const std::vector<Reading>& readings() const { return readings_; }
  const std::map<std::string, std::string>& contents() const { return contents_; }  ///< by path

 private:
  std::vector<Reading> readings_;
  std::map<std::string, std::string> contents_;
};

}  // namespace lithe::io
