#pragma once
// The verbs about control: what each is given. command_line.cpp fills the structures.

#include "verbs.hpp"

namespace lithe::cli {

struct FrfOptions {
  PoseOptions pose;
  bool rest = false;                         ///< stand still at the pose of --at
  bool open = false;                         ///< without the feedback of the drives
  std::vector<std::string> inputs, outputs;  ///< patterns; empty: all
  std::optional<double> from, until;         ///< Hz
  std::vector<double> frequencies;           ///< Hz; instead of from, until and count
  int count = 200;
  std::string output, csv, bode;  ///< MAT-file, table ("-": stdout), picture; empty: none
};

struct GainsOptions {
  ModelOptions model;
  std::vector<double> at;         ///< times of the motion laws; empty: the initial values
  std::vector<std::string> over;  ///< "JOINT=FROM:TO:COUNT": a grid of poses at rest
  bool rest = false, open = false;
  std::vector<std::string> inputs, outputs;        ///< patterns of what controls and of what is looked at
  std::vector<std::string> allow;                  ///< "NAME=DEVIATION": weights of least squares
  std::vector<std::string> poles, observer_poles;  ///< "-3+2i"; instead of weights and noise
  std::vector<std::string> integral, sensors;      ///< patterns of outputs
  std::vector<std::string> noise;                  ///< "NAME=SIZE" of inputs and sensors
  double sample = 0.0, delay = 0.0;                ///< s
  std::string reduce;                              ///< modal=N, balanced=N, slow, fast, composite; empty: not at all
  std::string output, bode, step;                  ///< MAT-file and pictures; empty: none
  std::string write;                               ///< model file with the controller; empty: none
  bool spillover = false;                          ///< what becomes of each mode
};

int frf(const FrfOptions& options);
int gains(const GainsOptions& options);

}  // namespace lithe::cli
