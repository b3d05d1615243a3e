#pragma once
// Kinds of machine elements in model files. One table: from it keys are checked, the schema is written, parts rename
// what they bring along, and elements are read.
//
// A new kind: one file read_KIND.cpp with a function that returns its ElementKind, and its line in element_kinds().

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "lithe/io/reader.hpp"
#include "lithe/laws/law.hpp"
#include "lithe/links/section.hpp"
#include "lithe/mechanism/mechanism.hpp"

namespace lithe::io {

class ModelBuilder;

/// What the reader of an element may ask for. Whatever cannot be read has been complained about.
class ElementReader {
 public:
  ElementReader(ModelBuilder& builder, Reader& of_file, const Mechanism& so_far)
      : reader(of_file), mechanism(so_far), builder_(builder) {}

  Reader& reader;
  const Mechanism& mechanism;  ///< links and joints are known, elements not yet

  std::optional<FrameRef> frame(const Item& item);            ///< LINK/FRAME or LINK
  std::optional<CoordinateRef> coordinate(const Item& item);  ///< JOINT, or JOINT.k of a joint with several
  std::optional<Law> law(const Item& item);
  std::optional<Material> material(const Item& item);  ///< with Young's modulus
  /// The number of a key, or `otherwise`.
  double number(const Object& object, const char* key, double otherwise = 0.0);

 private:
  ModelBuilder& builder_;
};

struct ElementKind {
  std::string section;              ///< of the file: "ropes"
  std::string rule;                 ///< of one entry: "rope"
  std::string description;          ///< of the section
  std::vector<MapRules> sections;   ///< the rules of an entry, and of what stands inside
  std::vector<NamedType> types;     ///< that these rules use
  std::vector<std::string> frames;  ///< keys whose value is a frame or a list of frames: parts rename them
  std::vector<std::string> joints;  ///< likewise joints
  /// Nothing after complaints.
  std::function<std::shared_ptr<const Element>(ElementReader&, const std::string& name, const Object& entry)> read;
};

const std::vector<ElementKind>& element_kinds();

ElementKind rope_kind();     // read_rope.cpp
ElementKind bushing_kind();  // read_bushing.cpp
ElementKind contact_kind();  // read_contact.cpp

}  // namespace lithe::io
