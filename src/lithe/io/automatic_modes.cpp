#include "lithe/io/automatic_modes.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "lithe/analysis/linearize.hpp"
#include "lithe/simulation/prepare.hpp"

namespace lithe::io {

namespace {

constexpr int rich_modes = 16, most_rich_modes = 60;  ///< of a link; more than `rich_modes` only for a high band
constexpr int least_frequencies = 3;                  ///< of the band, when the model file does not say
constexpr double nothing_new = 1e-6;                  ///< part of a static shape outside the modes that is not worth it
constexpr double most_bent = 0.1;                     ///< of the mechanism's length, in the initial pose
constexpr double rigid_motion = 1e-2;  ///< of the lowest link frequency: slower motions are not vibrations

using Pivoted = Eigen::ColPivHouseholderQR<MatrixX>;

/// Unit vectors that stand on all columns of `a`, as columns.
MatrixX complement_of(const MatrixX& a, double threshold, int& rank) {
  Pivoted qr;
  qr.setThreshold(threshold);
  qr.compute(a);
  rank = a.cols() > 0 ? static_cast<int>(qr.rank()) : 0;
  const MatrixX all = qr.householderQ() * MatrixX::Identity(a.rows(), a.rows());
  return all.rightCols(a.rows() - rank);
}

/// What a link keeps.
struct Kept {
  int modes = 1;
  bool statics = false;  ///< the static shapes of its loaded frames
};

/// A link with its rich basis: natural modes, then what its static shapes hold beyond them.
struct RichLink {
  const AutomaticLink* given = nullptr;
  ReferenceChoice reference;
  LinkData data;
  int modes = 0;    ///< natural ones of the basis
  MatrixX statics;  ///< in the coordinates of the basis: shapes under unit forces and moments at the loaded frames
  int group = 0;    ///< links that are alike

  RichLink(const Model& model, const AutomaticLink& link, double up_to) : given(&link) {
    const std::string& name = model.mechanism.links[static_cast<std::size_t>(link.link)].name;
    reference = choose_reference(model.mechanism, link.link, link.body.reference);
    if (link.sayings.modes.reference) {
      reference.reference = *link.sayings.modes.reference;
      reference.reason = "the model file says so";
    }
    const ElasticModel held = with_reference(name, link.body.model, reference.reference);
    const int coordinates = static_cast<int>(held.mass.rows());
    ReductionChoice choice;
    choice.modes.count = std::min(coordinates, up_to > 0 ? most_rich_modes : rich_modes);
    const VectorX hertz = natural_modes(name, held, choice.modes).frequencies / (2 * std::numbers::pi);
    const auto below = static_cast<int>((hertz.array() < 3 * up_to).count());
    modes = choice.modes.count = std::min(coordinates, std::max(rich_modes, below));
    if (modes == coordinates && hertz[modes - 1] < 1.5 * up_to)
      throw BuildError{*link.sayings.modes_item,
                       fmt::format("up-to {} Hz is beyond what its {} coordinates can follow: they end at {:.4g} Hz; "
                                   "use more elements or a lower band",
                                   up_to, coordinates, hertz[modes - 1])};
    choice.loaded = reference.loaded;
    data = reduced_link(name, held, reduce(name, held, choice), link.body.stiffens && model_stiffens(link));
    // Frames that the reference holds still carry nothing.
    std::erase_if(reference.loaded, [&](const std::string& frame) {
      const Frame& at = data.frames[static_cast<std::size_t>(data.find_frame(frame))];
      return at.shape.isZero(0.0) && at.turn.isZero(0.0);
    });
    const VectorX stiffness = data.elastic.stiffness.diagonal();
    statics.resize(stiffness.size(), 6 * static_cast<Eigen::Index>(reference.loaded.size()));
    Eigen::Index used = 0;
    for (const std::string& frame : reference.loaded) {
      const Frame& at = data.frames[static_cast<std::size_t>(data.find_frame(frame))];
      for (const Matrix3X* rows : {&at.shape, &at.turn})
        for (int a = 0; a < 3; ++a) {
          const VectorX shape = rows->row(a).transpose().cwiseQuotient(stiffness);
          if (shape.norm() > 0) statics.col(used++) = shape.normalized();
        }
    }
    statics.conservativeResize(Eigen::NoChange, used);
    data.elastic.stiffening = link.body.stiffens ? link.sayings.stiffening : Stiffening::off;
  }

  /// What the link may not do when it keeps so much: rows over its rich coordinates. `count`: coordinates that it has.
  MatrixX forbidden(const Kept& kept, int& count) const {
    const Eigen::Index n = data.elastic.count();
    MatrixX allowed = MatrixX::Identity(n, kept.modes);
    if (kept.statics) {
      allowed.conservativeResize(Eigen::NoChange, kept.modes + statics.cols());
      allowed.rightCols(statics.cols()) = statics;
    }
    return complement_of(allowed, nothing_new, count).transpose();
  }

  bool is_like(const RichLink& other) const {
    return reference.reference == other.reference.reference && modes == other.modes &&
           data.elastic.count() == other.data.elastic.count() &&
           data.elastic.frequencies.isApprox(other.data.elastic.frequencies, 1e-9);
  }

 private:
  static bool model_stiffens(const AutomaticLink& link) { return link.sayings.stiffening != Stiffening::off; }
};

/// Loops that close only with their links strongly bent are not those of the model.
void refuse_bent(const Prepared& at) {
  for (std::size_t i = 0; i < at.plan.elastic_places().size(); ++i) {
    const ElasticPlace& place = at.plan.elastic_places()[i];
    for (int k = 0; k < place.count; ++k)
      if (std::abs(at.state.q[place.q + k]) > most_bent * at.plan.speed_scale(place.v + k))
        throw PhysicsError(
            fmt::format("its loops close only when link '{}' is strongly bent; give better guesses under 'initial', or "
                        "check the lengths",
                        at.plan.mechanism().links[i].name));
  }
}

/// Small motions of the mechanism with its rich links, and those of links that keep less.
class RichMechanism {
 public:
  RichMechanism(const Model& model, const std::vector<RichLink>& links) : links_(links) {
    Model rich = model;
    for (const RichLink& link : links) rich.mechanism.links[static_cast<std::size_t>(link.given->link)] = link.data;
    Prepared at = prepare(rich, Arithmetic::automatic, Start::assembled);
    at.state.v.setZero();
    refuse_bent(at);
    const Linearisation linear = linearize(at.plan, at.work, at.state, VectorX::Zero(at.plan.nv()), Actions(at.plan));
    MatrixX complement, cut;
    if (Status status = loop_complement(at.plan, at.work, at.state.q, complement); !status)
      throw PhysicsError(describe(at.plan, status, at.state.t));
    // In coordinates that are all of the size of a radian.
    VectorX scale(complement.cols());
    for (Eigen::Index i = 0; i < scale.size(); ++i)
      scale[i] = at.plan.speed_scale(linear.speeds[static_cast<std::size_t>(i)]);
    mass_ = scale.asDiagonal() * linear.M * scale.asDiagonal();
    stiffness_ = scale.asDiagonal() * (0.5 * (linear.K + linear.K.transpose())) * scale.asDiagonal();
    complement *= scale.asDiagonal();
    cut_jacobian(at.plan, at.work, at.state.q, cut);
    const std::vector<int>& motors = at.plan.actuated_speeds();
    motors_.resize(static_cast<Eigen::Index>(motors.size()), complement.cols());
    for (std::size_t i = 0; i < motors.size(); ++i)
      motors_.row(static_cast<Eigen::Index>(i)) = motors[i] < at.plan.nv()
                                                      ? MatrixX(complement.row(motors[i]))
                                                      : MatrixX(cut.row(motors[i] - at.plan.nv()) * complement);
    double lowest = std::numeric_limits<double>::infinity();
    for (const RichLink& link : links) {
      const ElasticPlace& place = at.plan.elastic_places()[static_cast<std::size_t>(link.given->link)];
      elastic_.push_back(complement.middleRows(place.v, place.count));
      lowest = std::min(lowest, link.data.elastic.frequencies[0]);
    }
    slowest_ = rigid_motion * lowest;
  }

  bool has_motors() const { return motors_.rows() > 0; }

  /// Frequencies (Hz) of vibrations, ascending, with all links rich or with what `kept` says for each group.
  std::vector<double> frequencies(bool locked, const std::vector<Kept>* kept, int* coordinates = nullptr) const {
    std::vector<MatrixX> rows;
    if (locked) rows.push_back(motors_);
    int total = 0;
    for (std::size_t i = 0; kept != nullptr && i < links_.size(); ++i) {
      int count = 0;
      rows.push_back(links_[i].forbidden((*kept)[static_cast<std::size_t>(links_[i].group)], count) * elastic_[i]);
      total += count;
    }
    if (coordinates != nullptr) *coordinates = total;
    Eigen::Index height = 0;
    for (const MatrixX& each : rows) height += each.rows();
    MatrixX held(mass_.rows(), height);
    height = 0;
    for (const MatrixX& each : rows) {
      held.middleCols(height, each.rows()) = each.transpose();
      height += each.rows();
    }
    int rank = 0;
    const MatrixX free =
        height > 0 ? complement_of(held, 1e-10, rank) : MatrixX(MatrixX::Identity(mass_.rows(), mass_.rows()));
    if (free.cols() == 0) return {};
    const MatrixX mass = free.transpose() * mass_ * free, stiffness = free.transpose() * stiffness_ * free;
    if (Eigen::LLT<MatrixX>(mass).info() != Eigen::Success)
      throw PhysicsError(
          "some motion of it has no inertia, as a beam without 'polar-inertia' that turns about its own axis");
    const VectorX squares =
        Eigen::GeneralizedSelfAdjointEigenSolver<MatrixX>(stiffness, mass, Eigen::EigenvaluesOnly).eigenvalues();
    std::vector<double> hertz;
    for (const double square : squares)
      if (square > slowest_ * slowest_) hertz.push_back(std::sqrt(square) / (2 * std::numbers::pi));
    return hertz;
  }

 private:
  const std::vector<RichLink>& links_;
  MatrixX mass_, stiffness_, motors_;
  std::vector<MatrixX> elastic_;  ///< of each link: rates of its coordinates per independent speed
  double slowest_ = 0.0;          ///< rad/s
};

/// The frequencies that count, with motors locked and free, and how far a choice is from them.
class Band {
 public:
  Band(const RichMechanism& mechanism, double up_to, int count) : mechanism_(mechanism), asked_(up_to), top_(up_to) {
    const std::vector<double> locked = mechanism.frequencies(true, nullptr);
    if (top_ == 0.0 && !locked.empty()) top_ = locked[std::min(locked.size(), static_cast<std::size_t>(count)) - 1];
    wanted_.push_back(inside(locked));
    if (mechanism.has_motors()) wanted_.push_back(inside(mechanism.frequencies(false, nullptr)));
  }

  struct Miss {
    double worst = 0.0;   ///< relative error of the worst frequency; 1 when it is not there at all
    double total = 0.0;   ///< sum of the errors, each at most 1
    int coordinates = 0;  ///< of the links
  };
  Miss miss(const std::vector<Kept>& kept) const {
    Miss miss;
    for (std::size_t motors = 0; motors < wanted_.size(); ++motors) {
      const std::vector<double> ours = mechanism_.frequencies(motors == 0, &kept, &miss.coordinates);
      for (std::size_t k = 0; k < wanted_[motors].size(); ++k) {
        const double error = k < ours.size() ? std::min(1.0, std::abs(ours[k] / wanted_[motors][k] - 1)) : 1.0;
        miss.worst = std::max(miss.worst, error);
        miss.total += error;
      }
    }
    return miss;
  }

  std::string describe(double worst, double within) const {
    const std::size_t count = wanted_[0].size();
    if (count == 0) return fmt::format("the mechanism has no frequency up to {:.4g} Hz", top_);
    const std::string which =
        asked_ > 0 ? fmt::format("the frequencies of the mechanism up to {:.4g} Hz ({})", top_, count)
                   : fmt::format("the first {} frequencies of the mechanism (up to {:.4g} Hz)", count, top_);
    return fmt::format("{} are settled within {:.2g} %{}; asked for {:.2g} %", which, 100 * worst,
                       wanted_.size() > 1 ? " with motors locked and free" : "", 100 * within);
  }

 private:
  std::vector<double> inside(std::vector<double> hertz) const {
    std::erase_if(hertz, [&](double f) { return f > top_ * (1 + 1e-9); });
    return hertz;
  }

  const RichMechanism& mechanism_;
  double asked_, top_;
  std::vector<std::vector<double>> wanted_;  ///< motors locked; motors free
};

/// Adds shapes to the groups of links, the most helpful per coordinate first, until the band has settled.
std::vector<Kept> grow(const std::vector<RichLink>& links, int groups, const Band& band, double within, double& worst) {
  std::vector<Kept> kept(static_cast<std::size_t>(groups));
  std::vector<const RichLink*> first(static_cast<std::size_t>(groups), nullptr);
  for (const RichLink& link : links)
    if (first[static_cast<std::size_t>(link.group)] == nullptr) first[static_cast<std::size_t>(link.group)] = &link;
  Band::Miss now = band.miss(kept);
  while (now.worst > within) {
    std::vector<Kept> best;
    Band::Miss best_miss;
    double best_gain = 1e-9, lowest = std::numeric_limits<double>::infinity();
    const auto consider = [&](const std::vector<Kept>& trial, double next_frequency) {
      const Band::Miss miss = band.miss(trial);
      const double gain = (now.total - miss.total) / std::max(1, miss.coordinates - now.coordinates);
      // When no shape helps by itself, the softest goes in.
      const bool is_better = gain > best_gain || (best_gain <= 1e-9 && next_frequency < lowest);
      if (!is_better) return;
      best = trial, best_miss = miss, best_gain = std::max(gain, best_gain), lowest = next_frequency;
    };
    for (std::size_t g = 0; g < kept.size(); ++g) {
      std::vector<Kept> trial = kept;
      if (kept[g].modes < first[g]->modes) {
        ++trial[g].modes;
        consider(trial, first[g]->data.elastic.frequencies[kept[g].modes]);
      }
      if (!kept[g].statics && first[g]->statics.cols() > 0) {
        trial = kept;
        trial[g].statics = true;
        consider(trial, std::numeric_limits<double>::max());
      }
    }
    if (best.empty()) break;  // everything is kept
    kept = best, now = best_miss;
  }
  worst = now.worst;
  return kept;
}

std::string counted(int number, const char* what) {
  return fmt::format("{} {}{}", number, what, number == 1 ? "" : "s");
}

/// The finished link, with the reason for it.
void put_into(Model& model, const RichLink& rich, const Kept& kept, const std::string& band) {
  const AutomaticLink& link = *rich.given;
  ElasticSayings sayings = link.sayings;
  if (link.body.reference != Reference::supported) sayings.modes.reference = rich.reference.reference;
  sayings.modes.is_chosen = true;
  sayings.modes.choice.modes.count = kept.modes;
  if (kept.statics) sayings.modes.choice.loaded = rich.reference.loaded;
  LinkOrigin& origin = model.origins[static_cast<std::size_t>(link.link)];
  Item blamed = *link.sayings.modes_item;
  LinkData& data = model.mechanism.links[static_cast<std::size_t>(link.link)];
  try {
    data = build_link(data.name, link.key, link.body, sayings, origin, blamed);
  } catch (const MechanismError& error) {
    const std::string prefix = fmt::format("link '{}': ", data.name), message = error.what();
    throw BuildError{blamed, message.starts_with(prefix) ? message.substr(prefix.size()) : message};
  }
  const int statics = data.elastic.count() - kept.modes;
  origin.choice = fmt::format("{}, because {}; {}", name_of(rich.reference.reference), rich.reference.reason,
                              counted(kept.modes, "mode"));
  if (statics > 0)
    origin.choice +=
        fmt::format(" and {} of {}", counted(statics, "static shape"), fmt::join(rich.reference.loaded, ", "));
  origin.band = band;
}

}  // namespace

void choose_modes(Model& model, const std::vector<AutomaticLink>& links) {
  double up_to = 0.0, within = 1.0;
  for (const AutomaticLink& link : links) {
    up_to = std::max(up_to, link.sayings.modes.up_to);
    within = std::min(within, link.sayings.modes.within);
  }
  std::vector<RichLink> rich;
  int groups = 0;
  for (const AutomaticLink& link : links) {
    rich.emplace_back(model, link, up_to);
    const auto twin =
        std::find_if(rich.begin(), rich.end() - 1, [&](const RichLink& other) { return other.is_like(rich.back()); });
    rich.back().group = twin == rich.end() - 1 ? groups++ : twin->group;
  }
  try {
    const RichMechanism mechanism(model, rich);
    const Band band(mechanism, up_to, std::max(least_frequencies, static_cast<int>(links.size())));
    double worst = 0.0;
    const std::vector<Kept> kept = grow(rich, groups, band, within, worst);
    for (const RichLink& link : rich)
      put_into(model, link, kept[static_cast<std::size_t>(link.group)], band.describe(worst, within));
  } catch (const PhysicsError& error) {
    throw PhysicsError(fmt::format("'modes: auto' needs the mechanism in its initial pose, but {}", error.what()));
  }
}

}  // namespace lithe::io
