#pragma once
// Kinds of elastic links in the model file. A kind is one key of a link (`beam`), the rules of what stands below it and
// a reader that makes an ElasticSpec. Mode choice, damping and stiffening are read once for all kinds
// (read_elastic.cpp).
//
// A new kind: one file read_KIND.cpp with a function that returns its ElasticKind, and its line in elastic_kinds().

#include <optional>
#include <string>
#include <vector>

#include "lithe/io/materials.hpp"
#include "lithe/io/model_rules.hpp"
#include "lithe/io/reader.hpp"
#include "lithe/links/beam.hpp"
#include "lithe/links/make_link.hpp"

namespace lithe::io {

/// What the reader of a kind is given.
struct ElasticSource {
  Reader& reader;
  const Materials& materials;
  std::string link;               ///< its name, for MechanismError
  Item body;                      ///< the value of the kind's key
  std::vector<NamedItem> frames;  ///< the link's `frames`, names checked, values of the kind's `frame_type`
  bool is_chosen = false;  ///< the model file says what is kept; otherwise all ways of deforming are worth having
};

/// What it hands back.
struct ReadElastic : ElasticSpec {
  /// In place of `model`: the link is a chain of pieces, "tip" of each welded to "root" of the next.
  std::vector<ReadElastic> segments;
  std::vector<SectionStation> stations;  ///< cross sections of a beam, where known
  std::vector<std::string> frames;       ///< of a piece: those of the link's `frames` that it carries
};

struct ElasticKind {
  std::string key;                      ///< of a link: "beam"
  std::string type;                     ///< of its value, as in the rules
  std::string description;              ///< for the schema
  std::vector<MapRules> sections;       ///< rules of everything below the key
  std::string frame_type;               ///< how frames are written on such a link, alternatives as in the rules
  std::vector<std::string> own_frames;  ///< frames that the link has by itself, besides "origin"

  /// Nothing when something was wrong, after complaining (or when a value was broken elsewhere). May throw
  /// MechanismError; its text is then a complaint about the kind's key.
  std::optional<ReadElastic> (*read)(const ElasticSource& source) = nullptr;

  std::vector<NamedType> types = {};  ///< named types that its sections use
};

const std::vector<ElasticKind>& elastic_kinds();

ElasticKind beam_kind();           // read_beam.cpp
ElasticKind assumed_modes_kind();  // read_assumed_modes.cpp
ElasticKind bezier_kind();         // read_bezier.cpp
ElasticKind truss_kind();          // read_truss.cpp
ElasticKind imported_kind();       // read_imported.cpp
ElasticKind matrices_kind();       // read_imported.cpp

/// Sections of what all kinds share: modes, damping.
std::vector<MapRules> elastic_sections();

/// Numbers of one map. Remembers whether one of them could not be read, so that nothing is built from half a map.
class Numbers {
 public:
  Numbers(const Object& object, Reader& reader) : object_(object), reader_(reader), good_(!object.incomplete) {}

  /// The value of `key`; nothing when it is absent or bad.
  std::optional<double> get(const std::string& key);
  double get(const std::string& key, double otherwise) { return get(key).value_or(otherwise); }
  /// A flag, likewise.
  bool flag(const std::string& key, bool otherwise);
  bool good() const { return good_; }
  void fail() { good_ = false; }

 private:
  const Object& object_;
  Reader& reader_;
  bool good_;
};

}  // namespace lithe::io
