#include "lithe/io/reread_model.hpp"

#include "lithe/io/model_builder.hpp"

namespace lithe {

Model reread_model(const Model& model, const std::map<std::string, std::string>& overrides,
                   const LoadOptions& options) {
  Model again = io::load_with_files(model.flattened, model.path, overrides, model.attached, options);
  again.text = model.text;
  again.files = model.files;
  return again;
}

}  // namespace lithe
