// Links from files: finished link data, and matrices of other finite-element programs.

#include <fmt/format.h>

#include "lithe/io/elastic_kinds.hpp"
#include "lithe/io/link_tree.hpp"
#include "lithe/io/matrix_files.hpp"
#include "lithe/io/source_files.hpp"

namespace lithe::io {

namespace {

/// The file that `key` names, beside the model file; nothing after a complaint.
std::optional<DataFile> file_of(const Object& object, const char* key, Reader& reader) {
  const auto item = object.get(key);
  const auto text = item ? reader.text(*item) : std::nullopt;
  if (!text) return std::nullopt;
  DataFile file{beside(item->node->place, *text).string(), {}};
  FileText read = reader.files.read(*item->node, file.path);
  if (!read.fault.empty()) {
    reader.complain(*item, fmt::format("the file '{}' cannot be read: {}", file.path, read.fault));
    return std::nullopt;
  }
  file.bytes = std::move(read.text);
  return file;
}

std::optional<ReadElastic> read_finished(const ElasticSource& source) {
  Reader& reader = source.reader;
  const auto object = reader.object(source.body, "imported");
  for (const NamedItem& frame : source.frames)
    reader.complain_key(frame.item, "the frames of an imported link stand in its file; drop this one");
  const auto file = object && source.frames.empty() ? file_of(*object, "file", reader) : std::nullopt;
  if (!file) return std::nullopt;
  try {
    ReadElastic body;
    body.finished = detail::link_of_bytes(file->bytes, file->path);
    return body;
  } catch (const std::runtime_error& error) {
    reader.complain(*object->get("file"), error.what());
    return std::nullopt;
  }
}

std::optional<std::vector<ImportedFrame>> node_frames(const ElasticSource& source) {
  std::vector<ImportedFrame> frames;
  bool good = true;
  for (const NamedItem& named : source.frames) {
    const auto list = source.reader.list(named.item, 1);
    good = good && list;
    ImportedFrame frame{named.name, {}, Mat3::Identity()};
    for (const Item& each : list.value_or(std::vector<Item>{})) {
      const auto number = source.reader.integer(each);
      good = good && number;
      frame.nodes.push_back(static_cast<int>(number.value_or(0)));
    }
    frames.push_back(std::move(frame));
  }
  if (!good) return std::nullopt;
  return frames;
}

std::optional<ReadElastic> read_matrices(const ElasticSource& source) {
  Reader& reader = source.reader;
  const auto object = reader.object(source.body, "matrices");
  const auto frames = node_frames(source);
  if (!object || !frames) return std::nullopt;
  const auto mass = file_of(*object, "mass", reader), stiffness = file_of(*object, "stiffness", reader),
             nodes = file_of(*object, "nodes", reader);
  if (!mass || !stiffness || !nodes) return std::nullopt;
  ImportedMatrices part;
  try {
    part = matrices_of(*mass, *stiffness, *nodes);
  } catch (const std::runtime_error& error) {
    reader.complain(source.body, error.what());
    return std::nullopt;
  }
  ReadElastic body;
  body.model = imported_model(source.link, part, *frames);
  body.stiffens = false;
  return body;
}

}  // namespace

ElasticKind imported_kind() {
  return {"imported",
          "imported",
          "A finished elastic link from a file, with its frames.",
          {{"imported",
            "an imported link",
            "Finished link data.",
            {needed_key("file", "text", "JSON or HDF5 file (.json, .h5), relative to the model file.")},
            {}}},
          "point | frame-pose",
          {},
          read_finished};
}

ElasticKind matrices_kind() {
  return {"matrices",
          "matrices",
          "A free part of another finite-element program; its frames are lists of its nodes.",
          {{"matrices",
            "the matrices of a part",
            "Mass and stiffness in MatrixMarket format with the file of their nodes, relative to the model file.",
            {needed_key("mass", "text", "Mass matrix, kg."), needed_key("stiffness", "text", "Stiffness matrix, N/m."),
             needed_key("nodes", "text", "Node positions, and what each row of the matrices is.")},
            {}}},
          "list of integer",
          {},
          read_matrices};
}

}  // namespace lithe::io
