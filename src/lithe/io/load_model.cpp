#include "lithe/io/load_model.hpp"

#include <fmt/format.h>

#include "lithe/analysis/buckling.hpp"
#include "lithe/io/flatten.hpp"
#include "lithe/io/key_overrides.hpp"
#include "lithe/io/model_builder.hpp"
#include "lithe/io/parts.hpp"
#include "lithe/io/read_visuals.hpp"
#include "lithe/io/unit_hints.hpp"

namespace lithe {

namespace io {

Model ModelBuilder::build(const Object& root) {
  if (const auto name = root.get("name")) model_.name = reader_.text(*name).value_or("");
  if (const auto description = root.get("description")) reader_.text(*description);
  if (const auto gravity = root.get("gravity"))
    model_.mechanism.gravity = reader_.point(*gravity).value_or(Vec3::Zero());
  model_.mechanism.name = model_.name;
  materials_.read(root, reader_);
  if (const auto materials = root.get("materials"); materials && store_ != nullptr)
    materials_text_ = text_with_values(*materials->node, reader_);
  read_ground(root);
  read_links(root);
  read_joints(root);
  read_couplings(root);
  read_cylinders(root);
  read_springs(root);
  read_elements(root);
  read_loads(root);
  read_coordinates(root);
  read_initial(root);
  read_speeds(root);
  read_drives(root);
  read_sensors(root);
  read_controllers(root);
  read_mechanism_damping(root);
  read_run(root);
  model_.run.from = options_.from.value_or(model_.run.from);
  model_.run.until = options_.until.value_or(model_.run.until);
  read_record(root);
  read_events(root);

  if (!root.incomplete) {
    if (links_known_ && model_.mechanism.links.size() == 1)
      reader_.complaints().add({root.item().node->place.file, 0, 0}, "links", "a model needs at least one link");
    else if (links_known_ && joints_known_ && model_.mechanism.joints.empty())
      reader_.complaints().add({root.item().node->place.file, 0, 0}, "joints", "a model needs at least one joint");
  }
  bound_visuals(model_.visuals);
  if (reader_.complaints().empty()) {
    try {
      model_.mechanism.validate();
      expand_machines();
      model_.mechanism.validate();
      complete_statics();
      for (std::string& hint : unit_hints(root, model_, reader_)) model_.remarks.warnings.push_back(std::move(hint));
      if (options_.rigid) {
        for (LinkData& link : model_.mechanism.links) link = rigid_twin(link);
        model_.initial_elastic.clear(), model_.initial_elastic_speeds.clear();
      } else {
        choose_shapes();
        check_stress();
      }
      check_elastic_values();
      shape_commands();
      read_conditions();
      if (store_ == nullptr) find_buckling_loads(model_.mechanism, recipes_, model_.origins);
    } catch (const LinkChoiceError& error) {
      complain_choice(elastic_items_.at(error.element()), error);
    } catch (const MechanismError& error) {
      complain_mechanism(error);
    }
  }
  return std::move(model_);
}

void ModelBuilder::complain_mechanism(const MechanismError& error) {
  // The message says which kind of element it means; the element's path says so here.
  std::string message = error.what();
  for (const auto& [kind, elements] :
       {std::pair{"link", &links_}, std::pair{"joint", &joints_}, std::pair{"coupling", &couplings_},
        std::pair{"spring", &springs_}, std::pair{"load", &loads_}, std::pair{"motor of joint", &motors_},
        std::pair{"cylinder", &cylinder_items_}, std::pair{"sensor", &sensor_items_},
        std::pair{"controller", &controller_items_}}) {
    const std::string prefix = fmt::format("{} '{}'", kind, error.element());
    const auto found = elements->find(error.element());
    if (found == elements->end() || !message.starts_with(prefix)) continue;
    if (message.starts_with(prefix + ": ")) message.erase(0, prefix.size() + 2);
    return reader_.complain_key(found->second, message);
  }
  if (const auto found = elements_.find(error.element()); found != elements_.end())
    return reader_.complain_key(found->second, message);
  reader_.complaints().add({}, error.element(), message);
}

}  // namespace io

Model io::model_of_tree(Node tree, SourceFiles& files, Complaints& complaints, const std::string& text,
                        const std::string& path, const std::map<std::string, std::string>& overrides, DataFiles& data,
                        const LoadOptions& options, LinkStore* links) {
  Model model;
  std::map<std::string, std::string> parameters = overrides;
  std::map<std::string, std::string> replaced = io::take_key_overrides(tree, parameters);
  io::replace_keys(tree, replaced, io::OverrideStage::before_expansion, complaints);
  io::Reader reader(complaints);
  reader.files.carried = data.carried;
  reader.files.looked_for = options.looked_for;
  const io::Item whole{&tree, {tree.place.file, 1, 1}, {}, "model"};
  io::read_parameters(io::Object(whole, io::section("model")), parameters, reader.own, reader);
  // Without what is repeated or comes from parts nearly every name would be unknown: stop here.
  if (!io::expand_model(tree, files, reader)) complaints.throw_if_any();
  io::replace_keys(tree, replaced, io::OverrideStage::after_expansion, complaints);
  if (!options.shape.empty()) {
    io::shape_all_drives(tree, options.shape);
    replaced["drives.*.shape"] = options.shape;
  }
  if (const auto root = reader.object(whole, "model")) {
    model = io::ModelBuilder(reader, options, links).build(*root);
    model.parameters = reader.own.parameters;
    model.replaced = std::move(replaced);
  }
  complaints.throw_if_any();
  model.path = path;
  if (links == nullptr) {
    model.text = text;
    reader.write_out_scopes(tree);
    io::flatten(std::move(tree), parameters, files.read(), reader.files, model);
  }
  if (model.name.empty()) model.name = model.mechanism.name = std::filesystem::path(path).stem().string();
  data = std::move(reader.files);
  return model;
}

Model io::load_with_files(const std::string& text, const std::string& path,
                          const std::map<std::string, std::string>& overrides,
                          const std::map<std::string, std::string>& carried, const LoadOptions& options) {
  io::Complaints complaints;
  io::SourceFiles files(complaints, options.looked_for);
  std::optional<io::Node> tree = files.load(text, path);
  if (!tree) complaints.throw_if_any();
  DataFiles data;
  data.carried = carried;
  return model_of_tree(std::move(tree).value(), files, complaints, text, path, overrides, data, options);
}

Model load_model_text(const std::string& text, const std::string& path,
                      const std::map<std::string, std::string>& overrides, const LoadOptions& options) {
  return io::load_with_files(text, path, overrides, {}, options);
}

Model load_model(const std::string& path, const std::map<std::string, std::string>& overrides,
                 const LoadOptions& options) {
  if (options.looked_for != nullptr) options.looked_for->push_back(path);
  const io::FileText file = io::read_text_file(path);
  if (!file.fault.empty()) throw ModelError({{path, 0, 0, {}, "the file cannot be read: " + file.fault}});
  return load_model_text(file.text, path, overrides, options);
}

}  // namespace lithe
