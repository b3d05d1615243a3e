#pragma once
// From the checked tree of a model file to a Model. One source file per room of the model file.

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "lithe/analysis/link_recipe.hpp"
#include "lithe/control/filters.hpp"
#include "lithe/control/linear_controller.hpp"
#include "lithe/io/elastic_choices.hpp"
#include "lithe/io/elastic_kinds.hpp"
#include "lithe/io/element_kinds.hpp"
#include "lithe/io/link_store.hpp"
#include "lithe/io/load_model.hpp"
#include "lithe/io/materials.hpp"
#include "lithe/io/reader.hpp"
#include "lithe/io/source_files.hpp"
#include "lithe/mechanism/cylinder.hpp"
#include "lithe/mechanism/elements/force_curve.hpp"
#include "lithe/simulation/command_shape.hpp"
#include "lithe/simulation/model.hpp"

namespace lithe::io {

class ModelBuilder {
 public:
  /// With `links` those that were made before are taken from there, and what only reports want is left out.
  ModelBuilder(Reader& reader, const LoadOptions& options, LinkStore* links = nullptr)
      : reader_(reader), options_(options), store_(links) {}

  /// Reads everything; the result is a valid model when no complaint was made.
  Model build(const Object& root);

 private:
  // read_links.cpp
  void read_links(const Object& root);
  void read_ground(const Object& root);
  void add_link(const NamedItem& named, std::optional<LinkData> data, const LinkOrigin& origin);
  void check_last_link();
  void add_elastic_link(const NamedItem& named, const Object& link, const ElasticKind& kind);
  const ElasticKind* elastic_kind_of(const Object& link);
  void add_visuals(std::vector<Visual> visuals);
  LinkData read_rigid_link(const std::string& name, const Object& link);
  /// A link of so many rigid parts needs one at least, and has no keys of elastic links.
  void check_rigid_keys(const Object& link, int parts);
  void read_frames(const Item& item, int link);
  void check_name(const NamedItem& named, const std::string& reserved = {});

  // read_elastic.cpp
  struct ElasticLink {
    LinkData data;
    LinkOrigin origin;
  };
  /// One link, or the pieces of a segmented one; nothing after complaints.
  /// Where the choices for an elastic link stand.
  struct ElasticItems {
    Item kind;
    std::optional<Item> modes, damping, stiffening, rotation;
  };
  std::vector<ElasticLink> read_elastic_link(const std::string& name, const Object& link, const ElasticKind& kind);
  std::optional<LinkChoices> read_link_choices(const ElasticItems& items, const std::vector<std::string>& frames);
  ElasticLink elastic_piece(const std::string& name, ElasticSpec spec, const ElasticKind& kind,
                            const LinkChoices& choices, const ElasticItems& items, int index = 0);
  std::optional<ReadElastic> read_body(const ElasticKind& kind, const ElasticSource& source, const Node& link);
  LinkData made_link(const std::string& name, const ElasticSpec& spec, const LinkChoices& choices, LinkOrigin& origin);
  void complain_choice(const ElasticItems& items, const LinkChoiceError& error);
  void complete_statics();  ///< static shapes for what acts on the links; after everything has been read
  void choose_shapes();     ///< of the links that wait for the mechanism
  std::vector<NamedItem> elastic_frames(const Object& link, const ElasticKind& kind, bool& good);

  // read_joints.cpp
  void read_joints(const Object& root);
  void read_joint(const NamedItem& named);
  bool read_joint_type(const Object& object, Joint& joint);
  bool read_axis(const Item& given, Joint& joint);
  bool read_two_axes(const Item& given, Joint& joint);
  void read_joint_forces(const Object& object, Joint& joint);
  void read_friction(const Item& item, Joint& joint);
  void read_stops(const Item& item, Joint& joint);
  std::vector<std::optional<Object>> one_or_each(const Item& item, const std::string& section, std::size_t count,
                                                 const Joint& joint);
  std::optional<std::vector<double>> per_speed(const Item& item, std::size_t count, const Joint& joint);
  std::optional<FrameRef> frame(const Item& item);
  std::optional<FrameRef> frame_on_segments(const Item& item, const std::string& link, const std::string& frame);

  // read_elements.cpp
  void read_elements(const Object& root);
  friend class ElementReader;

  // read_couplings.cpp
  void read_couplings(const Object& root);
  void add_coupling(const std::string& name, std::optional<std::vector<Coupling::Term>> terms, const Object& object);
  std::optional<std::vector<Coupling::Term>> read_terms(const Object& object);
  std::optional<std::vector<Coupling::Term>> read_gear(const Item& item);
  std::optional<std::vector<Coupling::Term>> read_turn_and_slide(const Item& item, const std::string& kind);
  std::optional<std::vector<Coupling::Term>> read_belt(const Item& item);
  std::optional<std::vector<Coupling::Term>> read_mimic(const Item& item);
  void read_equal(const std::string& name, const Item& item, const Object& object);
  std::optional<std::array<CoordinateRef, 2>> tied_pair(const Object& object);
  std::optional<CoordinateRef> tied_coordinate(const Item& item);
  std::optional<CoordinateRef> tied_coordinate(const NamedItem& named);
  std::optional<double> factor_of(const Item& item);
  const Joint& joint_of(CoordinateRef coordinate) const;
  bool is_distance(CoordinateRef coordinate) const;

  // read_springs.cpp
  void read_springs(const Object& root);
  void read_spring(const NamedItem& named, const Object& object);
  std::optional<ForceCurve> spring_force(const Object& spring, SpringSide side);
  std::optional<ForceCurve> spring_curve(const Item& item, SpringSide side);

  // read_motors.cpp
  void read_motor(const Object& object, Joint& joint);
  void read_spinning_rotor(const Item& item, const Joint& joint, const Motor& motor);
  void read_torque_curve(const Item& item, Motor& motor);
  void read_cylinders(const Object& root);
  void read_cylinder(const Object& object, Cylinder& cylinder);
  void read_oil(const Item& item, Cylinder& cylinder);
  void expand_machines();  ///< puts motors and cylinders into the mechanism, when everything has been read

  // read_loads.cpp
  void read_loads(const Object& root);
  void read_frame_load(const NamedItem& named, const Object& load);
  void read_line_load(const NamedItem& named, const Object& load);
  void read_components(const Object& load, const char* key, Law (&components)[3]);
  void read_line(const Object& load, const Item& along, LineLoad& line);
  void read_line_on_axis(const Object& load, int first, int count, LineLoad& line);
  void read_line_between_frames(const Object& load, int link, LineLoad& line);
  std::optional<double> place_on_axis(const Item& item, int first, int count);
  std::optional<FrameRef> frame_or_number(const Item& item, int first, int count, bool& is_number);

  // read_initial.cpp
  /// LINK.eK: number under initial or speeds; false when the name is not of that kind.
  bool read_elastic_value(const NamedItem& named, std::vector<ElasticValue>& values);
  void check_elastic_values();
  void read_initial(const Object& root);
  void read_initial_entry(const NamedItem& named);
  void read_speeds(const Object& root);
  void read_speed_entry(const NamedItem& named);
  /// The link that `name` means under initial and speeds, a segmented one by its first piece; empty: none.
  std::string link_of_start(const std::string& name) const;
  /// A name that looks like a link and like no joint; true when it was complained about.
  bool complain_about_link(const NamedItem& named);
  struct StartPose {
    std::optional<Vec3> position;
    std::optional<Quat> rotation;
  };
  /// `moves`: it may say where, too.
  std::optional<StartPose> read_start_pose(const Item& item, bool moves);
  void read_link_pose(const Item& item, const std::string& link);
  void read_link_twist(const Item& item, const std::string& link);

  // read_laws.cpp
  std::optional<Law> law(const Item& item);
  std::optional<Law::Term> law_term(const Item& item);
  std::optional<Law::Term> law_of_kind(const Object& kind);
  std::optional<Law::Term> polynomial(const Item& item);
  std::optional<Law::Term> bezier(const Item& item);
  std::optional<Law::Term> table(const Item& item);
  std::optional<Law::Term> table_from_file(const Item& file_item, const Object& object,
                                           TableLaw::Interpolation interpolation);

  // read_paths.cpp
  std::optional<Law::Term> move(const Item& item, MotionProfile profile);
  std::optional<Law::Term> moves(const Item& item);
  std::optional<Path> path(const Item& item);
  std::optional<Pose> ground_frame(const Item& item);
  std::optional<std::vector<Vec3>> path_points(const Item& item, std::size_t least);
  std::optional<Curve> curve(const Object& path);
  std::optional<Path> timed_path(const Object& path, const Curve& curve);
  std::optional<Path> path_of_laws(const Object& path);
  std::optional<OrientationLaw> orientation_law(const Item& item, const Path& path);
  std::optional<OrientationLaw> waypoints(const Item& item, const std::optional<Item>& times, const Path& path);

  // read_drives.cpp
  void read_drives(const Object& root);
  bool read_drive(const NamedItem& named, const Object& object, const Joint& joint, Drive& drive);
  void read_path_drive(const NamedItem& named);
  bool read_task_gains(const Item& item, const PathDrive& path, TaskGains& gains);
  /// A path that says how motors follow.
  struct Leader {
    Item item;
    Drive like;                               ///< what it says
    std::optional<std::vector<Item>> motors;  ///< which; none: all that have no drive of their own
  };
  void drive_motors_of_paths();
  int drive_motors_of_joint(const Leader& leader, const Joint& joint);
  bool read_drive_modes(const Object& object, Drive& drive);
  bool read_voltage(const Object& object, const Item& voltage, const Joint& joint, Drive& drive);

  // read_sensors.cpp, read_controllers.cpp, read_control_laws.cpp, read_control_matrices.cpp
  void read_sensors(const Object& root);
  bool read_sensor(const Object& object, Sensor& sensor);
  bool read_measured_coordinate(const Item& item, Sensor& sensor);
  bool read_strain_gauge(const Object& object, const Item& item, Sensor& sensor);
  void read_controllers(const Object& root);
  bool read_motor_signals(const Object& law, SampledController& controller);
  bool read_task_law(const Item& item, SampledController& controller);
  bool read_control_grid(const Item& file, const nlohmann::json& json, const MatrixX& no_feedthrough);
  bool take_grid_law(const Item& item, SampledController& controller);
  void add_continuous(const Object& object, SampledController controller, const std::vector<TransferFunction>& filters);
  bool read_controller(const Object& object, SampledController& controller);
  std::optional<std::string> driven_motor(const Item& item);
  std::optional<std::vector<double>> for_each_output(const Item& item, std::size_t count);
  std::optional<ControlInput> control_signal(const Item& item);
  std::optional<ControlInput> control_input(const Item& item);
  bool read_pid(const Item& item, SampledController& controller);
  bool read_model_based_law(const Object& object, SampledController& controller);
  bool take_wanted_motion(const Item& item, ControlInput& input);
  bool read_linear_law(const Object& object, SampledController& controller);
  bool read_control_matrices(const Item& item, Eigen::Index outputs, Eigen::Index inputs,
                             std::vector<ScheduledSystem>& points);
  bool read_control_file(const Item& file, const MatrixX& no_feedthrough, std::vector<ScheduledSystem>& points);
  bool read_filters(const Item& item, double sample, std::vector<TransferFunction>& filters);

  // read_shapes.cpp
  /// A motion that waits for the modes of the mechanism: of a joint, or of a path (its index).
  struct WaitingShape {
    Item item;
    std::string joint;
    int coordinate = 0, path = -1;
    CommandShape shape;
    std::string name() const;
  };
  void read_shape(const Item& item, WaitingShape target);
  bool read_shape_keys(const Object& object, CommandShape& shape);
  void shape_commands();  ///< when the mechanism is complete
  void apply_shape(const WaitingShape& waiting, const CommandFilter& filter);

  // read_events.cpp
  void read_events(const Object& root);
  bool read_event_time(const Item& when, const std::vector<std::string>& names, Event& event);
  void read_event_actions(const Item& item, Event& event);
  void read_changed_drive(const NamedItem& named, Event& event);
  void read_switched_controllers(const Object& object, const char* key, EventAction::Kind kind, Event& event);
  void read_conditions();  ///< when the mechanism is known

  // read_run.cpp
  void read_coordinates(const Object& root);
  void read_mechanism_damping(const Object& root);
  void read_run(const Object& root);
  void read_record(const Object& root);
  void read_recorded_frames(const Item& item);
  void check_stress();  ///< that there is some, where it is recorded; after the choice of shapes

  /// "wrist.1": the joint and its coordinate 1. `limit` gives the number of coordinates of a joint type.
  struct JointCoordinate {
    const Joint* joint = nullptr;
    std::optional<int> coordinate;
  };
  std::optional<JointCoordinate> joint_coordinate(const NamedItem& named, int (*limit)(JointType));
  /// Whether a name is LINK.eK of an elastic link; when it has not so many coordinates it is complained of.
  bool is_elastic_coordinate(const NamedItem& named);
  /// Whether a coordinate is a distance. Those of a platform may be either: in a plane its third is an angle.
  bool slides(const Joint& joint, int coordinate) const;
  /// One number per coordinate or speed of a joint, between `least` and `most`; those that slide are no angles.
  std::optional<std::vector<double>> coordinate_values(const Item& item, const Joint& joint, std::size_t least,
                                                       std::size_t most);

  /// Until the mechanism has chosen its shapes, such a link looks rigid.
  bool waits_for_shapes(int link) const { return std::find(waiting_.begin(), waiting_.end(), link) != waiting_.end(); }

  std::vector<std::string> link_names() const;
  std::vector<std::string> joint_names() const;
  int joint_named(const std::string& name, const Item& item);  ///< its index; -1 and a complaint where there is none

  Reader& reader_;
  LoadOptions options_;
  LinkStore* store_;                                   ///< may be null
  std::string materials_text_;                         ///< with `store_`
  std::map<std::string, std::string> texts_of_links_;  ///< elastic ones; with `store_`
  Model model_;
  Joint platform_joint_;  ///< stands for the one that cartesian coordinates add
  Materials materials_;
  bool links_known_ = true, joints_known_ = true;         ///< false: any name may be right
  std::vector<bool> frames_known_;                        ///< per link
  std::map<std::string, std::pair<int, int>> segmented_;  ///< first piece and number of pieces of a segmented link
  std::vector<LinkRecipe> recipes_;                       ///< of elastic links that do not come finished from a file
  std::vector<int> waiting_;                              ///< links whose shapes wait for the mechanism
  std::map<std::string, ElasticItems> elastic_items_;     ///< by link
  bool has_lead_ = false;                                 ///< something leads motors: a path, or a law 'by: motors'
  std::vector<Leader> leaders_;
  std::vector<NamedItem> elastic_values_;          ///< LINK.eK of such links, to be checked after the choice
  std::vector<NamedItem> conditions_;              ///< by event
  std::optional<Item> stress_item_;                ///< under record
  std::map<std::string, bool> joint_types_known_;  ///< by joint; false: its type could not be read
  std::map<std::string, Item> links_, joints_, couplings_, springs_, loads_, elements_;  ///< where they stand
  std::map<std::string, Item> motors_, cylinder_items_;                                  ///< by joint; by name
  std::vector<Cylinder> cylinders_;
  std::vector<WaitingShape> shapes_;
  std::map<std::string, std::vector<SectionStation>> stations_;  ///< cross sections of beams, by link
  std::map<std::string, Item> sensor_items_, controller_items_;
  bool sensors_known_ = true;  ///< false: any signal may be right
  /// The law of a controller without a sample time, while it is read.
  std::function<std::unique_ptr<ContinuousSystem>(const ControlSite& site)> continuous_law_;
  decltype(SampledController::begin) grid_law_;  ///< one on a grid, likewise
  std::size_t grid_axes_ = 0;

  void complain_mechanism(const MechanismError& error);
};

/// Reads one column over another from a CSV file; complaints name that file and its lines, and call the other column
/// `abscissa`.
std::optional<TableLaw> read_table_file(const std::filesystem::path& path,
                                        const std::optional<std::string>& time_column,
                                        const std::optional<std::string>& value_column,
                                        TableLaw::Interpolation interpolation, const Item& item, Reader& reader,
                                        std::string_view abscissa = "times");

/// The model in a tree that `files` has loaded from `text`. With `links` those that were made before are taken from there,
/// and the model has no text of its own. Complaints about it are thrown.
Model model_of_tree(Node tree, SourceFiles& files, Complaints& complaints, const std::string& text,
                    const std::string& path, const std::map<std::string, std::string>& overrides, DataFiles& data,
                    const LoadOptions& options, LinkStore* links = nullptr);

/// load_model_text() with data files whose contents are given by path; the others are read from disk.
Model load_with_files(const std::string& text, const std::string& path,
                      const std::map<std::string, std::string>& overrides,
                      const std::map<std::string, std::string>& carried, const LoadOptions& options = {});

/// Evaluates `parameters:` and the overrides, in the order of their dependence, into the scope of the file.
void read_parameters(const Object& root, const std::map<std::string, std::string>& overrides, Scope& scope,
                     Reader& reader);

}  // namespace lithe::io
