// lithe frf: against the matrices of linearize, and against a long simulated sine.

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>
#include <complex>
#include <numbers>

#include "cli/program.hpp"

namespace lithe::testing {
namespace {

Eigen::MatrixXd matrix_in(const nlohmann::json& rows) {
  Eigen::MatrixXd matrix(rows.size(), rows[0].size());
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (std::size_t j = 0; j < rows[i].size(); ++j) matrix(i, j) = rows[i][j];
  return matrix;
}

// (j w - A) x = b as a real system of twice the size, by LU of the matrices that linearize prints.
TEST(Frf, EqualsTheLinearModel) {
  const std::string model = source_folder() + "/tests/data/robots/elastic-five-bar.yaml";
  const nlohmann::json linear = lithe({"linearize", model, "--json"}).json();
  const Answer answer = lithe({"frf", model, "--json", "--frequencies", "0,0.3,2,11,40,200"});
  ASSERT_EQ(answer.exit_code, 0) << answer.err;
  const nlohmann::json found = answer.json();
  const Eigen::MatrixXd A = matrix_in(linear["A"]), B = matrix_in(linear["B"]), C = matrix_in(linear["C"]),
                        D = matrix_in(linear["D"]);
  const Eigen::Index n = A.rows();
  ASSERT_EQ(found["responses"].size(), static_cast<std::size_t>(D.size()));
  for (std::size_t k = 0; k < found["frequencies"].size(); ++k) {
    const double w = 2 * std::numbers::pi * found["frequencies"][k].get<double>();
    Eigen::MatrixXd system(2 * n, 2 * n), right = Eigen::MatrixXd::Zero(2 * n, B.cols());
    system << -A, -w * Eigen::MatrixXd::Identity(n, n), w * Eigen::MatrixXd::Identity(n, n), -A;
    right.topRows(n) = B;
    const Eigen::MatrixXd x = system.partialPivLu().solve(right);
    const Eigen::MatrixXd real = C * Eigen::MatrixXd(x.topRows(n)) + D,
                          imaginary = C * Eigen::MatrixXd(x.bottomRows(n));
    const double size = std::max(real.cwiseAbs().maxCoeff(), imaginary.cwiseAbs().maxCoeff());
    for (Eigen::Index i = 0; i < D.rows(); ++i)
      for (Eigen::Index j = 0; j < D.cols(); ++j) {
        const nlohmann::json& one = found["responses"][i * D.cols() + j];
        EXPECT_EQ(one["output"], linear["outputs"][i]["name"]);
        EXPECT_NEAR(one["real"][k].get<double>(), real(i, j), 1e-8 * size);
        EXPECT_NEAR(one["imaginary"][k].get<double>(), imaginary(i, j), 1e-8 * size);
      }
  }
}

// An elastic arm held by a PD drive, without gravity, shaken at its tip by a force so small that the motion is linear: after the
// start has died out, amplitude and phase of the tip over ten periods are those of the frequency response.
TEST(Frf, EqualsALongSimulatedSine) {
  const Folder folder;
  const std::string file = folder.file("arm.yaml");
  write_text(file,
             "lithe: 1\nname: shaken arm\nparameters: {amount: 0, hertz: 2.5}\ngravity: [0, 0, 0]\nlinks:\n"
             "  arm: {beam: {length: 0.8, mass: 2.4, EI: 90}, modes: {count: 2}, damping: {ratio: 0.03}}\n"
             "joints:\n  shoulder: {revolute: z, from: ground/origin, to: arm/root, actuated: true, damping: 0.4}\n"
             "initial: {shoulder: 0}\nloads:\n  shaker: {at: arm/tip, force: [0, amount*sin(2*pi*hertz*t), 0]}\n"
             "drives:\n  shoulder: {follow: 0, by: pd, kp: 120, kd: 4}\n"
             "run: {until: 12, every: 1e-3, tolerance: 1e-9}\nrecord: [coordinates, frames: [arm/tip]]\n");
  const Answer response = lithe(
      {"frf", file, "--json", "--inputs", "load.shaker.force.y", "--outputs", "pos.arm.tip.y", "--frequencies", "2.5"});
  ASSERT_EQ(response.exit_code, 0) << response.err;
  const nlohmann::json one = response.json()["responses"][0];
  const std::complex<double> expected(one["real"][0].get<double>(), one["imaginary"][0].get<double>());
  const double amount = 1e-3;
  const std::string csv = folder.file("run.csv");
  const Answer run = lithe({"simulate", file, "--set", "amount=" + std::to_string(amount), "--csv", csv});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  std::istringstream lines(read_text(csv));
  std::string line;
  std::getline(lines, line);
  int column = 0;
  std::istringstream head(line);
  for (std::string name; std::getline(head, name, ',') && name != "pos.arm.tip.y";) ++column;
  // The Fourier coefficient over whole periods: y = Im(G amount e^jwt).
  std::complex<double> sum = 0.0;
  int count = 0;
  while (std::getline(lines, line)) {
    std::istringstream cells(line);
    std::vector<double> row;
    for (std::string cell; std::getline(cells, cell, ',');) row.push_back(std::stod(cell));
    if (row[0] < 12 - 4 - 5e-4 || row[0] > 12 - 5e-4) continue;
    sum += row[column] * std::polar(1.0, -2 * std::numbers::pi * 2.5 * row[0]);
    ++count;
  }
  const std::complex<double> found = std::complex<double>(0, 2) * sum / (count * amount);
  EXPECT_LT(std::abs(found - expected), 1e-4 * std::abs(expected)) << found << " " << expected << " " << count;
}

TEST(Frf, TableTextAndPicture) {
  const Folder folder;
  const std::string model = example("flexible-3rrr"), csv = folder.file("t.csv"), svg = folder.file("b.svg"),
                    mat = folder.file("f.mat");
  const Answer answer = lithe({"frf", model, "--inputs", "tau.motor-1", "--outputs", "q.motor-1", "--from", "1",
                               "--until", "100", "--csv", csv, "--bode", svg, "-o", mat});
  ASSERT_EQ(answer.exit_code, 0) << answer.err;
  for (const char* text : {"frequency response at t = 0 s, at rest", "q.motor-1", "tau.motor-1", "no rest", "modes"})
    EXPECT_NE(answer.out.find(text), std::string::npos) << text << "\n" << answer.out;
  EXPECT_TRUE(read_text(csv).starts_with("f,gain q.motor-1 by tau.motor-1,phase q.motor-1 by tau.motor-1\n1,"));
  EXPECT_NE(read_text(svg).find("frequency (Hz)"), std::string::npos);
  EXPECT_TRUE(read_text(mat).starts_with("MATLAB 5.0 MAT-file, frequency response by lithe"));
}

// Without the feedback of its drives the robot is a free mechanism: nothing holds it at rest.
TEST(Frf, OpenLoop) {
  const std::string model = source_folder() + "/tests/data/robots/elastic-five-bar.yaml";
  const auto at_rest = [&](std::vector<std::string> more) {
    std::vector<std::string> words{"frf",       model,       "--json",        "--inputs", "tau.motor-1",
                                   "--outputs", "q.motor-1", "--frequencies", "0.01"};
    words.insert(words.end(), more.begin(), more.end());
    const nlohmann::json one = lithe(words).json()["responses"][0];
    return std::hypot(one["real"][0].get<double>(), one["imaginary"][0].get<double>());
  };
  EXPECT_LT(at_rest({}), 1.0 / 30);  // about 1/kp
  EXPECT_GT(at_rest({"--open"}), 2 * at_rest({}));
}

TEST(Frf, BadInput) {
  const auto message = [](std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"frf", example("flexible-3rrr")});
    const Answer answer = lithe(arguments);
    EXPECT_EQ(answer.exit_code, 2);
    return answer.err;
  };
  EXPECT_NE(message({"--inputs", "tau.motor-9"}).find("there is no input 'tau.motor-9'; did you mean 'tau.motor-"),
            std::string::npos);
  EXPECT_NE(message({"--rest"}).find("--rest belongs to --at; without a time the pose is at rest"), std::string::npos);
  EXPECT_NE(message({"-o", "a.txt"}).find("a.txt: the name of a frequency response ends in .mat"), std::string::npos);
  EXPECT_NE(message({"--bode", "a.gif"}).find("a.gif: the name of a figure ends in .svg, .pdf or .png"),
            std::string::npos);
  EXPECT_NE(message({"--from", "5", "--until", "1"})
                .find("the frequencies go from 5 to 1 Hz; both must be positive and the second one larger"),
            std::string::npos);
  const Answer none = lithe({"frf", example("flexible-pendulum")});
  EXPECT_EQ(none.exit_code, 2);
  EXPECT_NE(
      none.err.find("the model has neither a motor nor a load that could be an input; a load with zero force is one"),
      std::string::npos);
}

}  // namespace
}  // namespace lithe::testing
