#include "lithe/kinematics/wished_assembly.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "lithe/kinematics/assembler.hpp"
#include "lithe/kinematics/assembly_score.hpp"
#include "lithe/kinematics/figure.hpp"
#include "lithe/kinematics/motion.hpp"
#include "lithe/spatial/decompositions.hpp"

namespace lithe {
namespace detail {
namespace {

constexpr double independent_row = 1e-3;  ///< of a wish beside closures and wishes before it, scaled to order one
constexpr double leaving_shake = 0.1;     ///< rad: a shake that leaves singular poses
constexpr double kept_within = 1e-9;      ///< rad or characteristic lengths: rounding, not another value
constexpr double other_branch = 0.5;      ///< rad or lengths: a wish this far off means that another assembly is meant
constexpr double far_from_neutral = 1.0;  ///< rad or lengths: a joint nobody spoke of should not stand there unasked
constexpr double singular_pivot = 1e-9;
constexpr int most_starts = 48;
constexpr double search_budget = 3e7;  ///< rough operations of one search
constexpr double steps_per_start = 15;
constexpr double clearly_better = 0.2;  ///< less is a matter of taste: the first one stays, and the user is told

template <class S>
class WishfulAssembly {
 public:
  WishfulAssembly(const Plan& plan, Workspace& work, Kernel<S>& kernel, const std::vector<Wish>& wishes)
      : plan_(plan), work_(work), k_(kernel), wishes_(wishes), assembler_(plan, work, kernel) {
    for (const Wish& wish : wishes) {
      const bool in_tree = !tree_speeds_of(plan, wish).empty();
      has_equations_ = has_equations_ || !in_tree;
      for (int row = 0; row < row_count(wish); ++row) rows_.push_back({&wish, row});
    }
  }

  WishedAssembly run(VectorX& q, bool choose) {
    WishedAssembly result;
    // The most important wish on a coordinate is written last.
    for (auto wish = wishes_.rbegin(); wish != wishes_.rend(); ++wish) place_wish(plan_, *wish, q);
    if (k_.row_count == 0 && !has_equations_) return result;
    guess_ = q;
    report_.initial_error = closure_error(plan_, work_, q);
    const bool elastic = k_.compiled.joint_nv < k_.nv;
    AssemblyReport closed = close(q);
    if (!closed.status && elastic) {
      bends_ = true;
      VectorX bent = guess_;
      const AssemblyReport second = close(bent);
      if (second.status) {
        closed = second;
        q = bent;
      } else {
        bends_ = false;
      }
    }
    result.report = closed;
    result.report.initial_error = report_.initial_error;
    result.report.iterations = report_.iterations;
    result.report.bends_links = bends_ && closed.status;
    if (closed.status && choose && k_.row_count > 0 && !bends_ && is_unsure(q)) search(q, result);
    if (closed.status) {
      count_turns(plan_, guess_, q);
      result.report.error = closure_error(plan_, work_, q);
    }
    return result;
  }

 private:
  using Equation = typename Assembler<S>::Equation;

  /// Frees what may move, and keeps the rows that are given: coordinates of the tree are held, others are equations.
  void keep(const std::vector<Equation>& rows) {
    assembler_.free_joints();
    if (bends_) assembler_.free_links();
    assembler_.equations.clear();
    for (const Equation& each : rows) {
      const std::vector<int> speeds = tree_speeds_of(plan_, *each.wish);
      if (speeds.empty()) {
        assembler_.equations.push_back(each);
      } else {
        assembler_.hold({speeds[each.row]});
      }
    }
  }

  std::vector<Equation> firm_rows() const {
    std::vector<Equation> firm;
    for (const Equation& each : rows_)
      if (each.wish->firm) firm.push_back(each);
    return firm;
  }

  /// From the guess to an assembly that keeps as many wishes as can be.
  AssemblyReport close(VectorX& q) {
    q = guess_;
    // Coordinates without a wish come to those with one before these give way.
    if (!bends_) {
      keep(rows_);
      assembler_.settle(q, report_.iterations);
    }
    const VectorX fitted = q;
    keep(firm_rows());
    AssemblyReport loose = attempt(q, !bends_ && k_.compiled.joint_nv < k_.nv);
    if (!loose.status && fitted != guess_) {
      q = guess_;
      loose = attempt(q, false);
    }
    if (!loose.status) return loose;
    for (kept_ = independent_rows(q);; kept_.pop_back()) {
      keep(kept_);
      VectorX x = fitted;
      AssemblyReport report = attempt(x, false);
      if (!report.status) {
        // Perhaps from where the loops are closed.
        x = q;
        for (const Equation& each : kept_) place_wish(plan_, *each.wish, x);
        report = attempt(x, false);
      }
      if (report.status) {
        q = x;
        return report;
      }
      if (kept_.empty() || kept_.back().wish->firm) return loose;
    }
  }

  AssemblyReport attempt(VectorX& q, bool anywhere) {
    AssemblyReport report = assembler_.run(q, anywhere);
    report_.iterations += report.iterations;
    return report;
  }

  /// Rows that can be had together with the closures: firm ones, then those that are independent of all before them. In
  /// a singular pose more seem to be possible and others seem impossible, so a pose nearby is asked when something
  /// would have to give way.
  std::vector<Equation> independent_rows(const VectorX& closed) {
    bool all_hold = false;
    std::vector<Equation> rows = independent_rows_at(closed, closed, all_hold);
    if (all_hold) return rows;
    keep(firm_rows());
    VectorX near = closed;
    std::mt19937 random(3);
    assembler_.shake(random, leaving_shake, near);
    int ignored = 0;
    if (!assembler_.descend(near, ignored)) return rows;
    return independent_rows_at(near, closed, all_hold);
  }

  std::vector<Equation> independent_rows_at(const VectorX& q, const VectorX& closed, bool& all_hold) {
    keep(firm_rows());
    MatrixX all = assembler_.jacobian(q);
    const Eigen::Index firm = all.rows();
    all.conservativeResize(firm + std::ssize(rows_), Eigen::NoChange);
    for (std::size_t i = 0; i < rows_.size(); ++i)
      all.row(firm + static_cast<Eigen::Index>(i)) = assembler_.row_of(q, rows_[i]);
    // Only rows of the same group can depend on each other.
    const MatrixGroups groups = group_entries(all);
    std::vector<std::vector<VectorX>> bases(groups.count);
    const auto add = [&](Eigen::Index i, double least) {
      if (groups.of_row[i] < 0) return false;
      std::vector<VectorX>& basis = bases[groups.of_row[i]];
      VectorX row = all.row(i);
      for (int twice = 0; twice < 2; ++twice)
        for (const VectorX& each : basis) row -= each.dot(row) * each;
      const double left = row.norm();
      if (left <= least) return false;
      basis.push_back(row / left);
      return true;
    };
    for (Eigen::Index i = 0; i < firm; ++i) add(i, independent_row * 1e-3);
    std::vector<Equation> rows = firm_rows();
    all_hold = true;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      const Equation& each = rows_[i];
      if (each.wish->firm) continue;
      if (add(firm + static_cast<Eigen::Index>(i), independent_row)) {
        rows.push_back(each);
      } else {
        all_hold = all_hold && std::abs(scaled_error(closed, each)) <= kept_within;
      }
    }
    return rows;
  }

  double scaled_error(const VectorX& q, const Equation& each) {
    const double error = wish_error(plan_, work_, q, *each.wish)[each.row];
    return is_distance(plan_, *each.wish) ? error / plan_.characteristic_length() : error;
  }

  bool is_kept(const Equation& row) const {
    return std::any_of(kept_.begin(), kept_.end(),
                       [&](const Equation& each) { return each.wish == row.wish && each.row == row.row; });
  }

  /// The value of a joint that has a motion law chooses nothing.
  bool repeats_a_kept_one(const Wish& wish) const {
    return std::any_of(kept_.begin(), kept_.end(), [&](const Equation& each) {
      return each.wish != &wish && each.wish->kind == wish.kind && each.wish->index == wish.index &&
             each.wish->coordinate == wish.coordinate;
    });
  }

  bool speaks_of_joint(const Wish& wish, int joint) const {
    if (wish.kind == Wish::Kind::coordinate || wish.kind == Wish::Kind::rotation) return wish.index == joint;
    const Joint& each = plan_.mechanism().joints[joint];
    return each.from.link == wish.index || each.to.link == wish.index;
  }

  /// Is it doubtful that the assembly is the one that is meant?
  bool is_unsure(const VectorX& q) {
    std::vector<const Wish*> guesses;  // they do not move anything, so they can only have been meant to choose
    for (const Equation& each : rows_) {
      if (is_kept(each) || repeats_a_kept_one(*each.wish)) continue;
      guesses.push_back(each.wish);
      if (std::abs(scaled_error(q, each)) > other_branch) return true;
    }
    for (std::size_t cut = 0; cut < plan_.cut_joints().size(); ++cut) {
      const std::vector<int>& loop = plan_.loop_joints(static_cast<int>(cut));
      const bool chosen = std::any_of(guesses.begin(), guesses.end(), [&](const Wish* wish) {
        return std::any_of(loop.begin(), loop.end(), [&](int joint) { return speaks_of_joint(*wish, joint); });
      });
      if (!chosen) return true;
    }
    VectorX cut_q;
    cut_coordinates(plan_, work_, q, cut_q);
    for (std::size_t j = 0; j < plan_.places().size(); ++j)
      if (!is_spoken_of(wishes_, j) && distance_from_neutral(plan_, q, cut_q, j) > far_from_neutral) return true;
    return false;
  }

  /// Makes joints that play the same part start alike.
  void start_alike(VectorX& q) const {
    for (std::size_t j = 0; j < alike_.size(); ++j) {
      const JointPlace& place = plan_.places()[j];
      if (place.cut || place.nq == 0) continue;
      for (std::size_t i = 0; i < j; ++i) {
        const JointPlace& first = plan_.places()[i];
        if (first.cut || alike_[i] != alike_[j]) continue;
        for (int k = 0; k < place.nq; ++k) {
          const bool turns = place.nq != place.nv;
          const int speed = place.v + (turns ? std::min(k, place.nv - 1) : k);
          if (assembler_.free[speed]) q[place.q + k] = q[first.q + k];
        }
        break;
      }
    }
  }

  /// Motors that play the same part and are free to do so stand alike, if the loops then close at least as well.
  void even_out(const AssemblyScore& score, VectorX& q) {
    VectorX x = q;
    std::vector<int> evened;
    const std::vector<Joint>& joints = plan_.mechanism().joints;
    for (std::size_t j = 0; j < joints.size(); ++j) {
      double sum = 0.0;
      std::vector<std::size_t> like;
      for (std::size_t i = 0; i < joints.size(); ++i) {
        const JointPlace& place = plan_.places()[i];
        const bool may_move = !place.cut && place.nq == 1 && joints[i].is_actuated() && assembler_.free[place.v];
        if (alike_[i] != alike_[j] || !may_move) continue;
        like.push_back(i);
        sum += q[place.q];
      }
      if (like.size() < 2 || like[0] != j) continue;
      for (const std::size_t i : like) {
        x[plan_.places()[i].q] = sum / static_cast<double>(like.size());
        evened.push_back(plan_.places()[i].v);
      }
    }
    if (evened.empty()) return;
    assembler_.hold(evened);
    int ignored = 0;
    if (assembler_.descend(x, ignored) && score.badness(x) < score.badness(q)) q = x;
  }

  /// Nothing is left to choose nearby; otherwise there is no point in counting assemblies.
  bool is_isolated(const VectorX& q) {
    const auto open = std::count(assembler_.free.begin(), assembler_.free.end(), true);
    return rank_of_groups(assembler_.jacobian(q), singular_pivot) == open;
  }

  struct Candidate {
    VectorX q;
    std::vector<Vec3> figure;
    double badness = 0.0;
  };

  /// Other assemblies with the same rows kept; the best one takes the place of q.
  void search(VectorX& q, WishedAssembly& result) {
    keep(kept_);
    const AssemblyScore score(plan_, work_, wishes_);
    alike_ = score.alike();
    const VectorX neutral = plan_.neutral();
    std::vector<Candidate> candidates{{q, figure_of(plan_, work_, q), score.badness(q)}};
    const double rows = k_.row_count + static_cast<double>(assembler_.equations.size());
    const double starts = search_budget / (rows * rows * k_.nv * steps_per_start);
    std::mt19937 random(11);
    for (int i = 0; i < std::min<double>(most_starts, starts); ++i) {
      // Neutral joints first, then anywhere; every other time with joints alike.
      VectorX x = guess_;
      if (i > 0) assembler_.shake(random, std::numbers::pi, x);
      if (i % 2 == 1) start_alike(x);
      int ignored = 0;
      if (!assembler_.descend(x, ignored)) continue;
      count_turns(plan_, guess_, x);
      Candidate found{x, figure_of(plan_, work_, x), score.badness(x)};
      const auto known = std::find_if(candidates.begin(), candidates.end(), [&](const Candidate& each) {
        return same_figure(each.figure, found.figure, plan_.characteristic_length());
      });
      if (known == candidates.end()) {
        candidates.push_back(std::move(found));
      } else if (found.badness < known->badness - clearly_better) {
        *known = std::move(found);
      }
    }
    const Candidate* best = &candidates[0];
    for (const Candidate& each : candidates)
      if (each.badness < best->badness - clearly_better) best = &each;
    q = best->q;
    result.found = static_cast<int>(candidates.size());
    if (!is_isolated(q)) {
      even_out(score, q);
      return;
    }
    for (const Candidate& each : candidates)
      result.equally_good += &each != best && each.badness < best->badness + clearly_better;
  }

  const Plan& plan_;
  Workspace& work_;
  Kernel<S>& k_;
  const std::vector<Wish>& wishes_;
  Assembler<S> assembler_;
  std::vector<Equation> rows_, kept_;
  bool has_equations_ = false, bends_ = false;
  VectorX guess_;
  std::vector<int> alike_;
  AssemblyReport report_;  ///< what has been spent
};

}  // namespace
}  // namespace detail

WishedAssembly assemble_wishes(const Plan& plan, Workspace& work, VectorX& q, const std::vector<Wish>& wishes,
                               bool choose) {
  return detail::with_kernel(work, [&]<class S>(detail::Kernel<S>& k) {
    return detail::WishfulAssembly<S>(plan, work, k, wishes).run(q, choose);
  });
}

}  // namespace lithe
