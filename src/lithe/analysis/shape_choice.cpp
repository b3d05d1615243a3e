#include "lithe/analysis/shape_choice.hpp"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "lithe/analysis/rich_motions.hpp"
#include "lithe/spatial/tolerances.hpp"

namespace lithe {

namespace {

using detail::LoadFamily;
using detail::MotorState;
using detail::RichMotions;
using detail::SpaceModes;

constexpr double nothing_new = 1e-6;   ///< part of a shape outside the kept ones that is not worth a coordinate
constexpr double moves_little = 1e-4;  ///< of the most moved place: one that moves less is not looked at
constexpr double ends_small = 1.0;  ///< of what is allowed: a mode that makes no larger error need not keep its phase
constexpr double hopeless = 30.0;   ///< times what is allowed, by prediction: not worth an exact look
constexpr double rounding = 1e-9;   ///< of the deflection that a unit of acceleration makes at the lowest frequency
constexpr double weighs_little = 1e-3;  ///< of what is allowed: such a response asks for nothing
constexpr int instants = 7;             ///< of the run at which a deflection is compared, each with its quarter period

using Kept = std::vector<std::vector<int>>;  ///< per group: candidates

/// Columns that span those of `shapes`, orthonormal; what is not new is left out.
MatrixX orthonormal(const std::vector<const MatrixX*>& shapes, Eigen::Index rows) {
  MatrixX columns(rows, 0);
  for (const MatrixX* each : shapes)
    for (Eigen::Index j = 0; j < each->cols(); ++j) {
      VectorX column = each->col(j).normalized();
      for (int pass = 0; pass < 2; ++pass) column -= (columns * (columns.transpose() * column)).eval();
      if (!(column.norm() > nothing_new)) continue;
      columns.conservativeResize(Eigen::NoChange, columns.cols() + 1);
      columns.rightCols(1) = column.normalized();
    }
  return columns;
}

/// Displacements of some watched places per mode: three rows each.
MatrixX rows_of(const SpaceModes& modes, const std::vector<int>& places) {
  MatrixX rows(3 * std::ssize(places), modes.rates.size());
  for (std::size_t k = 0; k < places.size(); ++k)
    rows.middleRows(3 * static_cast<Eigen::Index>(k), 3) = modes.places.middleRows(3 * places[k], 3);
  return rows;
}

/// Static amplitudes of the modes under the loads of a family.
MatrixX amplitudes(const SpaceModes& modes, const LoadFamily& family) {
  return modes.rates.cwiseAbs2().cwiseInverse().asDiagonal() * (modes.shapes.transpose() * family.matrix);
}

/// How strongly the modes ring after the loads of a family have set in: fully after a jump, less after a ramp that lasts a
/// quarter of a period of the rate `slowest`.
VectorX ringing_parts(const SpaceModes& modes, const LoadFamily& family, double slowest) {
  if (!family.sets_in_smoothly) return VectorX::Ones(modes.rates.size());
  const double ramp = 0.5 * std::numbers::pi / slowest;
  return (2.0 / ramp * modes.rates.cwiseInverse()).cwiseMin(1.0);
}

/// Deflections of the places of a family under its loads, one column per load and instant.
MatrixX deflections(const SpaceModes& modes, const LoadFamily& family, const std::vector<double>& times,
                    double slowest) {
  const MatrixX parts = amplitudes(modes, family);
  if (times.empty()) return rows_of(modes, family.places) * parts;
  const Eigen::Index loads = parts.cols();
  MatrixX all(parts.rows(), loads * (1 + std::ssize(times)));
  all.leftCols(loads) = parts;
  const VectorX ring = ringing_parts(modes, family, slowest);
  for (std::size_t k = 0; k < times.size(); ++k) {
    // The answer of a mode to a load that acts from t = 0 on.
    const VectorX ringing = (1.0 - ring.array() * (-modes.ratios.array() * modes.rates.array() * times[k]).exp() *
                                       (modes.rates.array() * times[k]).cos())
                                .matrix();
    all.middleCols(loads * (1 + static_cast<Eigen::Index>(k)), loads) = ringing.asDiagonal() * parts;
  }
  return rows_of(modes, family.places) * all;
}

/// The largest displacement of each place, over the columns of its three rows.
VectorX largest(const MatrixX& deflections) {
  VectorX peaks(deflections.rows() / 3);
  for (Eigen::Index k = 0; k < peaks.size(); ++k)
    peaks[k] = deflections.cols() > 0 ? deflections.middleRows(3 * k, 3).colwise().norm().maxCoeff() : 0.0;
  return peaks;
}

/// What the rich links do in one state of the motors, and how much of it matters.
struct RichState {
  const MotorState* motors = nullptr;
  SpaceModes modes;
  int band = 0;                      ///< lowest modes whose frequency counts
  std::vector<double> times;         ///< instants at which deflections are compared; empty: only statically
  std::vector<MatrixX> deflections;  ///< per family
  /// Per family and place of it: what an error is measured by; zero: not looked at.
  std::vector<VectorX> peaks;

  /// Instants of a run: ever longer from one period of the first mode to the end, each with its quarter period.
  void set_times(double duration) {
    if (!motors->keeps_phase || modes.rates.size() == 0) return;
    const double period = 2 * std::numbers::pi / modes.rates[0], first = std::min(period, 0.5 * duration);
    for (int k = 0; k < instants; ++k) {
      const double at = first * std::pow(duration / first, double(k) / (instants - 1));
      times.push_back(at);
      times.push_back(at - std::min(0.25 * period, 0.5 * at));
    }
  }

  /// rad/s, of the vibrations.
  double slowest() const { return modes.rates.size() > 0 ? modes.rates[0] : 1.0; }

  /// Locked motors turn torques into nothing but rounding.
  bool is_silent(const LoadFamily& family) const {
    return family.is_motor && !motors->locked.empty() && !motors->moves_motors;
  }

  const std::vector<double>& times_of(const LoadFamily& family) const {
    static const std::vector<double> none;
    return family.acts_suddenly ? times : none;
  }
};

/// How far a choice is from the rich links.
struct Miss {
  double frequency = 0.0;   ///< relative
  double deflection = 0.0;  ///< of the peak, where something acts
  double worst = 0.0;       ///< over what is allowed: above one it is too much
  double top = 0.0;         ///< rad/s
};

class Chooser {
 public:
  Chooser(const RichMotions& rich, const std::vector<ShapeLink>& links, const ShapeWishes& wishes);

  ShapeChoice choose();

 private:
  void set_peaks();
  void weigh_responses();
  Miss miss(const Kept& kept) const;
  std::vector<MatrixX> spaces(const Kept& kept) const;
  double predicted(const Kept& kept) const;
  bool add_best(Kept& kept) const;
  void prune(Kept& kept, Miss& now) const;
  const ShapeLink& first_of(std::size_t group) const { return *groups_[group].front(); }

  const RichMotions& rich_;
  const std::vector<ShapeLink>& links_;
  ShapeWishes wishes_;
  std::vector<std::vector<const ShapeLink*>> groups_;
  std::vector<RichState> states_;
  double band_top_ = 0.0;  ///< rad/s

  // Responses (modes, static deflections) side by side, weighted so that the squares of a column add up to its share of
  // what is allowed when nothing of it is kept. Per group: rows are rich coordinates times the root of their stiffness;
  // one block of columns per link of the group.
  std::vector<MatrixX> responses_;
  Eigen::Index response_count_ = 0;
  std::vector<std::vector<MatrixX>> metric_;  ///< per group and candidate: its columns times the root of the stiffness
};

Chooser::Chooser(const RichMotions& rich, const std::vector<ShapeLink>& links, const ShapeWishes& wishes)
    : rich_(rich), links_(links), wishes_(wishes) {
  for (const ShapeLink& link : links_) {
    if (static_cast<std::size_t>(link.group) >= groups_.size())
      groups_.resize(static_cast<std::size_t>(link.group) + 1);
    groups_[link.group].push_back(&link);
  }
  for (const MotorState& motors : rich_.states()) {
    RichState state;
    state.motors = &motors;
    state.modes = rich_.modes(motors, nullptr);
    state.set_times(wishes_.duration);
    states_.push_back(std::move(state));
  }
  // The band is that of locked motors.
  const VectorX& locked = states_[0].modes.rates;
  band_top_ = 2 * std::numbers::pi * wishes_.up_to;
  if (band_top_ == 0.0 && locked.size() > 0)
    band_top_ = locked[std::min<Eigen::Index>(locked.size(), wishes_.frequencies) - 1];
  for (RichState& state : states_) {
    state.band = static_cast<int>((state.modes.rates.array() <= band_top_ * (1 + detail::tolerance::written)).count());
    for (const LoadFamily& family : rich_.families())
      state.deflections.push_back(deflections(state.modes, family, state.times_of(family), state.slowest()));
  }
  set_peaks();
  weigh_responses();
}

/// What a deflection is measured by. A recorded place counts by its own peak, unless it hardly moves; any other by the
/// most that the loads of the family move. A motor that is held bends links more than one that gives way, and in a run
/// there is something of both, so the largest peak of all states holds. Where the user looks elsewhere, a place may ring
/// as inexactly as the compliance of a frame at which nothing acts. Forces inside the mechanism are as large as its
/// inertia makes them: what they do is weighed with what inertia does.
void Chooser::set_peaks() {
  VectorX by_inertia = VectorX::Zero(rich_.watched());
  std::vector<VectorX> peaks;
  for (std::size_t n = 0; n < rich_.families().size(); ++n) {
    const LoadFamily& family = rich_.families()[n];
    VectorX most = VectorX::Zero(std::ssize(family.places));
    for (const RichState& state : states_)
      if (!state.is_silent(family)) most = most.cwiseMax(largest(state.deflections[n]));
    for (std::size_t k = 0; k < family.places.size() && family.is_inertia; ++k) by_inertia[family.places[k]] = most[k];
    peaks.push_back(std::move(most));
  }
  double lowest = std::numeric_limits<double>::infinity();
  for (const RichState& state : states_)
    if (state.modes.rates.size() > 0) lowest = std::min(lowest, state.modes.rates[0]);
  const double by_inertia_most = by_inertia.size() > 0 ? by_inertia.maxCoeff() : 0.0;
  for (std::size_t n = 0; n < peaks.size(); ++n) {
    const LoadFamily& family = rich_.families()[n];
    const double most =
        std::max(peaks[n].size() > 0 ? peaks[n].maxCoeff() : 0.0, family.is_internal ? by_inertia_most : 0.0);
    // A body that floats is not bent at all by accelerations that are the same everywhere.
    if ((family.is_inertia || family.is_internal) && most * lowest * lowest < rounding) peaks[n].setZero();
    for (std::size_t k = 0; k < family.places.size(); ++k) {
      double& peak = peaks[n][k];
      const int place = family.places[k];
      if (family.is_internal && !family.is_self) peak = std::max(peak, by_inertia[place]);
      if (!(peak > moves_little * most))
        peak = 0.0;
      else if (place >= rich_.recorded())
        peak = most * (family.acts_suddenly && rich_.recorded() > 0 ? wishes_.compliance / wishes_.deflection : 1.0);
    }
    for (RichState& state : states_)
      state.peaks.push_back(state.is_silent(family) ? VectorX(VectorX::Zero(peaks[n].size())) : peaks[n]);
  }
}

void Chooser::weigh_responses() {
  std::vector<VectorX> shapes;
  const auto take = [&](const VectorX& shape, double weight) {
    const double energy = shape.dot(rich_.stiffness() * shape);
    if (weight > weighs_little && energy > 0) shapes.push_back(std::sqrt(weight / energy) * shape);
  };
  for (const RichState& state : states_) {
    const SpaceModes& modes = state.modes;
    VectorX weights = VectorX::Zero(modes.rates.size());
    weights.head(state.band).setConstant(0.5 / wishes_.within);
    // A relative error of a rate makes an error of the deflection that grows with time, until the mode has died.
    const VectorX lasts = (modes.rates * wishes_.duration)
                              .cwiseMin((std::numbers::e * modes.ratios.array()).cwiseMax(1e-12).inverse().matrix())
                              .cwiseMax(1.0);
    for (std::size_t n = 0; n < rich_.families().size(); ++n) {
      const LoadFamily& family = rich_.families()[n];
      const MatrixX parts = amplitudes(modes, family), rows = rows_of(modes, family.places), placed = rows * parts;
      const VectorX ring = ringing_parts(modes, family, state.slowest());
      for (Eigen::Index p = 0; p < parts.cols(); ++p) {
        double most = 0.0;
        for (Eigen::Index k = 0; k < state.peaks[n].size(); ++k) {
          const double peak = state.peaks[n][k];
          if (!(peak > 0)) continue;
          most = std::max(most, placed.col(p).segment<3>(3 * k).norm() / peak);
          if (!family.acts_suddenly || state.times.empty()) continue;
          for (Eigen::Index i = 0; i < weights.size(); ++i) {
            const double share = ring[i] * rows.col(i).segment<3>(3 * k).norm() * std::abs(parts(i, p)) / peak;
            if (2 * share > ends_small * family.allowed)
              weights[i] = std::max(weights[i], 0.5 * share * lasts[i] / family.allowed);
          }
        }
        take(modes.shapes * parts.col(p), most / family.allowed);
      }
    }
    for (Eigen::Index i = 0; i < weights.size(); ++i) take(state.modes.shapes.col(i), weights[i]);
  }
  response_count_ = std::ssize(shapes);
  for (const auto& group : groups_) {
    const Eigen::Index rows = group.front()->candidates.front().columns.rows();
    MatrixX block(rows, response_count_ * std::ssize(group));
    VectorX root(rows);
    for (std::size_t i = 0; i < group.size(); ++i) {
      const int first = rich_.first_coordinate(static_cast<std::size_t>(group[i] - links_.data()));
      root = rich_.stiffness().diagonal().segment(first, rows).cwiseSqrt();
      for (Eigen::Index r = 0; r < response_count_; ++r)
        block.col(static_cast<Eigen::Index>(i) * response_count_ + r) =
            root.cwiseProduct(shapes[r].segment(first, rows));
    }
    responses_.push_back(std::move(block));
    std::vector<MatrixX> columns;
    for (const ShapeCandidate& candidate : group.front()->candidates)
      columns.push_back(root.asDiagonal() * candidate.columns);
    metric_.push_back(std::move(columns));
  }
}

std::vector<MatrixX> Chooser::spaces(const Kept& kept) const {
  std::vector<MatrixX> of_group, of_link;
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    std::vector<const MatrixX*> shapes;
    for (const int c : kept[g]) shapes.push_back(&first_of(g).candidates[c].columns);
    of_group.push_back(orthonormal(shapes, responses_[g].rows()));
  }
  for (const ShapeLink& link : links_) of_link.push_back(of_group[link.group]);
  return of_link;
}

/// The share of what is allowed that the worst response misses, by its strain energy outside what is kept.
double Chooser::predicted(const Kept& kept) const {
  VectorX missed = VectorX::Zero(response_count_);
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    std::vector<const MatrixX*> shapes;
    for (const int c : kept[g]) shapes.push_back(&metric_[g][c]);
    const MatrixX span = orthonormal(shapes, responses_[g].rows());
    const MatrixX rest = responses_[g] - span * (span.transpose() * responses_[g]);
    for (std::size_t i = 0; i < groups_[g].size(); ++i)
      missed += rest.middleCols(static_cast<Eigen::Index>(i) * response_count_, response_count_)
                    .colwise()
                    .squaredNorm()
                    .transpose();
  }
  return missed.size() > 0 ? missed.maxCoeff() : 0.0;
}

/// Adds the candidate that takes most of the missed energy per coordinate. False: nothing is left to add.
bool Chooser::add_best(Kept& kept) const {
  double best = 0.0;
  std::size_t best_group = 0;
  int best_candidate = -1;
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    std::vector<const MatrixX*> shapes;
    for (const int c : kept[g]) shapes.push_back(&metric_[g][c]);
    const MatrixX span = orthonormal(shapes, responses_[g].rows());
    const MatrixX rest = responses_[g] - span * (span.transpose() * responses_[g]);
    for (std::size_t c = 0; c < metric_[g].size(); ++c) {
      if (std::find(kept[g].begin(), kept[g].end(), static_cast<int>(c)) != kept[g].end()) continue;
      const MatrixX& columns = metric_[g][c];
      MatrixX fresh(columns.rows(), 0);
      for (Eigen::Index j = 0; j < columns.cols(); ++j) {
        VectorX column = columns.col(j).normalized();
        for (int pass = 0; pass < 2; ++pass) {
          column -= (span * (span.transpose() * column)).eval();
          column -= (fresh * (fresh.transpose() * column)).eval();
        }
        if (!(column.norm() > nothing_new)) continue;
        fresh.conservativeResize(Eigen::NoChange, fresh.cols() + 1);
        fresh.rightCols(1) = column.normalized();
      }
      if (fresh.cols() == 0) continue;
      const double gain = (fresh.transpose() * rest).squaredNorm() /
                          static_cast<double>(fresh.cols() * std::ssize(groups_[g]));
      // A link without any shape comes first.
      const double counted = kept[g].empty() ? gain + 1e30 : gain;
      if (counted > best) best = counted, best_group = g, best_candidate = static_cast<int>(c);
    }
  }
  if (best_candidate < 0) return false;
  std::vector<int>& list = kept[best_group];
  list.insert(std::upper_bound(list.begin(), list.end(), best_candidate), best_candidate);
  return true;
}

Miss Chooser::miss(const Kept& kept) const {
  Miss miss;
  const std::vector<MatrixX> of_link = spaces(kept);
  for (const RichState& state : states_) {
    const SpaceModes modes = rich_.modes(*state.motors, &of_link);
    for (int k = 0; k < state.band; ++k)
      miss.frequency = std::max(
          miss.frequency, k < modes.rates.size() ? std::min(1.0, modes.rates[k] / state.modes.rates[k] - 1) : 1.0);
    miss.top = std::max(miss.top, modes.highest);
    for (std::size_t n = 0; n < rich_.families().size(); ++n) {
      const LoadFamily& family = rich_.families()[n];
      if (family.loads.empty()) continue;
      const VectorX off =
          largest(deflections(modes, family, state.times_of(family), state.slowest()) - state.deflections[n]);
      double worst = 0.0;
      for (Eigen::Index k = 0; k < off.size(); ++k)
        if (state.peaks[n][k] > 0) worst = std::max(worst, off[k] / state.peaks[n][k]);
      miss.worst = std::max(miss.worst, worst / family.allowed);
      if (!family.is_self) miss.deflection = std::max(miss.deflection, worst);
    }
  }
  miss.worst = std::max(miss.worst, miss.frequency / wishes_.within);
  return miss;
}

/// Drops what the others have made superfluous: fast modes first, since they cost the smallest steps.
void Chooser::prune(Kept& kept, Miss& now) const {
  std::vector<std::pair<std::size_t, int>> order;
  for (std::size_t g = 0; g < kept.size(); ++g)
    for (const int c : kept[g]) order.push_back({g, c});
  const auto candidate = [&](const std::pair<std::size_t, int>& at) -> const ShapeCandidate& {
    return first_of(at.first).candidates[at.second];
  };
  std::stable_sort(order.begin(), order.end(), [&](const auto& a, const auto& b) {
    const ShapeCandidate &first = candidate(a), &second = candidate(b);
    if ((first.mode >= 0) != (second.mode >= 0)) return first.mode >= 0;
    return first.frequency > second.frequency;
  });
  for (const auto& [g, c] : order) {
    if (kept[g].size() == 1) continue;
    Kept fewer = kept;
    std::erase(fewer[g], c);
    if (predicted(fewer) > hopeless) continue;
    if (const Miss without = miss(fewer); without.worst <= 1.0) kept = fewer, now = without;
  }
}

ShapeChoice Chooser::choose() {
  Kept kept(groups_.size());
  const auto has_empty = [&] {
    return std::any_of(kept.begin(), kept.end(), [](const std::vector<int>& list) { return list.empty(); });
  };
  while ((has_empty() || predicted(kept) > 1.0) && add_best(kept)) {
  }
  Miss now = miss(kept);
  while (now.worst > 1.0 && add_best(kept)) now = miss(kept);
  if (now.worst <= 1.0) prune(kept, now);
  ShapeChoice choice;
  choice.kept = kept;
  choice.frequencies = states_[0].band;
  choice.band = band_top_ / (2 * std::numbers::pi);
  choice.frequency_error = now.frequency;
  choice.deflection_error = now.deflection;
  choice.top = now.top / (2 * std::numbers::pi);
  choice.has_motors = rich_.has_motors();
  choice.has_sticking = rich_.has_sticking();
  return choice;
}

}  // namespace

ShapeChoice choose_shapes(const Plan& plan, Workspace& work, const VectorX& q, const std::vector<ShapeLink>& links,
                          const ShapeWishes& wishes) {
  const RichMotions rich(plan, work, q, links, wishes);
  return Chooser(rich, links, wishes).choose();
}

}  // namespace lithe
