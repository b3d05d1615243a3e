#pragma once
// The verbs of the program: what each is given, and how it ends. command_line.cpp fills the structures.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "lithe/simulation/run_entries.hpp"

namespace lithe::cli {

/// Exit codes of the program.
enum ExitCode : int { fine = 0, physics_failed = 1, bad_input = 2 };

/// What every verb on a model is told.
struct ModelOptions {
  std::string path;
  std::vector<std::string> sets;  ///< "name=value", replaces a parameter of the model
  bool json = false;              ///< machine-readable answer, alone on stdout
  bool rigid = false;             ///< every elastic link replaced by its rigid twin
  std::string shape;              ///< of all wanted motions: "zvd", "zvd=4.2"; empty: as the file says
};

struct CheckOptions {
  ModelOptions model;
  bool branches = false;
};

struct LinkOptions {
  ModelOptions model;
  std::string link;  ///< its name
  std::string csv;   ///< where the mode shapes go; empty: nowhere
  std::string file;  ///< where the finished link goes (JSON or HDF5); empty: nowhere
};

struct RunVerbOptions {
  ModelOptions model;
  RunOverrides run;
  std::string hdf5, csv;     ///< where the results go; empty: nowhere; csv "-": stdout
  bool any_size = false;     ///< results may be larger than what looks sensible
  bool flexible = false;     ///< inverse: with the elastic motion that belongs to it
  bool equilibrium = false;  ///< simulate: start at static equilibrium
};

/// What the verbs on random states are told.
struct StatesOptions {
  ModelOptions model;
  int states = 100;
  unsigned seed = 1;
};

/// What the verbs on a pose at rest are told.
struct PoseOptions {
  ModelOptions model;
  std::optional<double> at;    ///< time of the motion laws; without: the initial values
  bool free_motors = false;    ///< motors are not locked
  bool locked_motors = false;  ///< modes, linearize: motors with feedback are locked too
  int count = 20;              ///< modes shown
  std::string frame;           ///< LINK/FRAME whose compliance is asked for
  bool moving = false;         ///< statics: with the inertia of the motion at `at`
};

struct LinearizeOptions {
  PoseOptions pose;
  bool rest = false;                 ///< stand still at the pose of --at
  std::vector<std::string> outputs;  ///< recorded quantities; empty: all
  std::string output;                ///< MAT-file; empty: none
  bool matrices = false;             ///< print them whatever their size
};

struct IdentifyOptions {
  ModelOptions model;                            ///< an identification file, or with `record` a model
  std::string record;                            ///< CSV file or result
  std::vector<std::string> parameters, columns;  ///< names; "COLUMN=QUANTITY"
  std::string run = "simulate";                  ///< or inverse, kinematics
  std::string output;                            ///< what was found, for --set @FILE; empty: none
  std::string figure;                            ///< measured, predicted and residuals; empty: none
  int threads = 0;                               ///< 0: as many as the machine has
};

struct MapVerbOptions {
  ModelOptions model;
  std::vector<std::string> over, hold;  ///< COORDINATE=FROM:TO[:COUNT], COORDINATE=VALUE
  std::vector<std::string> what, draw;  ///< quantities; columns of the figure, empty: the first of each quantity
  std::string frame;                    ///< LINK/FRAME; empty: that of the axes
  int modes = 3, branch = 1;
  int threads = 0;             ///< 0: as many as there are processors
  int layer = 0;               ///< of the third axis, from 1, for the figure; 0: the middle one
  double payload = 0.0;        ///< kg
  double acceleration = 10.0;  ///< m/s^2
  std::string output, csv;     ///< empty: none; csv "-": stdout
  std::vector<std::string> figures;
  double width = 160, dpi = 200;  ///< mm; dots per inch of a PNG
};

struct SweepOptions {
  std::string study;
  std::string hdf5, csv;  ///< empty: STUDY.h5; none
  int threads = 0;        ///< 0: as many as the machine has
  bool resume = false;
  std::string keep;  ///< worst:COUNT, best:COUNT; empty: no runs
  bool json = false;
};

struct OptimizeVerbOptions {
  std::string study;
  std::string hdf5, csv;  ///< of the history; empty: STUDY-optimum.h5; none
  int threads = 0;
  bool resume = false;
  bool json = false;
};

struct ReproduceOptions {
  std::string name;  ///< of a case file in the reference folder, or a path; empty: list them
  bool json = false;
  bool failures_only = false;
};

struct ShowOptions {
  std::vector<std::string> results;
  std::string output = "report.html", title;
  bool json = false;
};

struct PlotOptions {
  std::vector<std::string> results, what;  ///< files; columns, comma-separated, with * for anything
  std::string output, title;
  std::optional<double> from, until;
  double width = 160, height = 80, dpi = 200;  ///< mm, mm per panel, dots per inch of a PNG
  bool json = false;
};

struct NewOptions {
  std::string kind;  ///< of the starter model; empty: list them
  std::string output = "model.yaml";
  bool list = false, force = false, json = false;
};

struct ConvertOptions {
  std::string urdf, side;  ///< side: empty, or the side file
  std::string output;      ///< empty: stdout
  std::string inertia;     ///< refuse, repair, accept; empty: as the side file says
  bool ignore_couplings = false;
  bool stops = false;  ///< limits become stops
  bool json = false;
};

struct SchemaOptions {
  bool side_file = false;       ///< of the side file of `convert` instead of the model file
  bool identification = false;  ///< of the identification file instead
  bool study = false;           ///< of the study file instead
};

struct DemoOptions {
  std::string folder = "out";
  bool json = false;
};

int check(const CheckOptions& options);
int link(const LinkOptions& options);
int kinematics(const RunVerbOptions& options);
int inverse(const RunVerbOptions& options);
int simulate(const RunVerbOptions& options);
int compare(const StatesOptions& options);
int bench(const StatesOptions& options);
int statics(const PoseOptions& options);
int modes(const PoseOptions& options);
int linearize(const LinearizeOptions& options);
int identify(const IdentifyOptions& options);
int map(const MapVerbOptions& options);
int sweep(const SweepOptions& options);
int optimize_study(const OptimizeVerbOptions& options);
int check_study(const CheckOptions& options);
int schema(const SchemaOptions& options);
int reproduce(const ReproduceOptions& options);
int show(const ShowOptions& options);
int plot(const PlotOptions& options);
int new_model(const NewOptions& options);
int convert(const ConvertOptions& options);
int demo(const DemoOptions& options);

}  // namespace lithe::cli
