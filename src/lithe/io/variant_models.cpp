#include "lithe/io/variant_models.hpp"

#include <fmt/format.h>

#include <mutex>

#include "lithe/io/link_store.hpp"
#include "lithe/io/model_builder.hpp"

namespace lithe {

/// The file as a tree, which parts and places need whole; one thread at a time uses it.
class VariantModels::Source {
 public:
  Source(const std::string& text, const std::string& path) : files_(complaints_), text_(text), path_(path) {
    tree_ = files_.load(text, path);
    complaints_.throw_if_any();
  }

  Model model(const std::map<std::string, std::string>& overrides, io::DataFiles& data, const LoadOptions& options,
              io::LinkStore* links) {
    return io::model_of_tree(*tree_, files_, complaints_, text_, path_, overrides, data, options, links);
  }

 private:
  io::Complaints complaints_;
  io::SourceFiles files_;
  std::optional<io::Node> tree_;
  const std::string &text_, &path_;
};

struct VariantModels::Shared {
  std::string path, text;
  std::map<std::string, std::string> fixed;
  std::vector<std::string> names;
  LoadOptions options;
  Model base;
  io::DataFiles data;  ///< contents of what the file names, in `carried`
  io::LinkStore links;
  std::mutex mutex;
  std::vector<std::unique_ptr<Source>> idle;  ///< sources that no thread uses

  void read_base() {
    std::unique_ptr<Source> source = take();
    base = source->model(fixed, data, options, nullptr);
    data.carried = data.contents();
    give_back(std::move(source));
  }
  std::unique_ptr<Source> take() {
    {
      const std::lock_guard lock(mutex);
      if (!idle.empty()) {
        std::unique_ptr<Source> source = std::move(idle.back());
        idle.pop_back();
        return source;
      }
    }
    return std::make_unique<Source>(text, path);
  }
  /// Not after an error: its complaints would be made again.
  void give_back(std::unique_ptr<Source> source) {
    const std::lock_guard lock(mutex);
    idle.push_back(std::move(source));
  }
};

VariantModels::VariantModels(const std::string& path, std::map<std::string, std::string> fixed,
                             std::vector<std::string> names)
    : shared_(std::make_unique<Shared>()) {
  const io::FileText file = io::read_text_file(path);
  if (!file.fault.empty()) throw ModelError({{path, 0, 0, {}, "the file cannot be read: " + file.fault}});
  shared_->path = path;
  shared_->text = file.text;
  shared_->fixed = std::move(fixed);
  shared_->names = std::move(names);
  shared_->read_base();
}

VariantModels::VariantModels(const Model& model, std::vector<std::string> names, bool rigid)
    : shared_(std::make_unique<Shared>()) {
  shared_->path = model.path;
  shared_->text = model.flattened;
  shared_->names = std::move(names);
  shared_->options.rigid = rigid;
  shared_->data.carried = model.attached;
  shared_->read_base();
}

VariantModels::~VariantModels() = default;

const Model& VariantModels::base() const { return shared_->base; }

std::map<std::string, std::string> VariantModels::overrides(const std::vector<double>& values) const {
  std::map<std::string, std::string> all = shared_->fixed;
  // Seventeen digits give the same number again.
  for (std::size_t i = 0; i < values.size(); ++i) all[shared_->names[i]] = fmt::format("{:.17g}", values[i]);
  return all;
}

Model VariantModels::at(const std::vector<double>& values) const {
  std::unique_ptr<Source> source = shared_->take();
  io::DataFiles data;
  data.carried = shared_->data.carried;
  Model model = source->model(overrides(values), data, shared_->options, &shared_->links);
  shared_->give_back(std::move(source));
  return model;
}

Model VariantModels::whole(const std::vector<double>& values) const {
  return io::load_with_files(shared_->text, shared_->path, overrides(values), shared_->data.carried, shared_->options);
}

}  // namespace lithe
