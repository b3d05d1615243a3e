#include "lithe/study/optimize.hpp"

#include <fmt/format.h>
#include <nlopt.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <mutex>

#include "lithe/study/side_by_side.hpp"

namespace lithe {
namespace {

constexpr double difference_step = 1e-3;  ///< of slopes, part of the range of an axis: above the noise of integrators
constexpr double limit_slack = 1e-6;      ///< part of a limit by which it may be missed
constexpr double failed_value = 1e3;      ///< of an objective that could not be computed, times its size

/// One search: an objective, and for fronts a limit of the other one.
struct Search {
  long number = 0;
  Objective objective;
  std::vector<Constraint> limits;
  std::vector<double> start;  ///< between 0 and 1
};

/// From the unit cube to the values of the axes.
std::vector<double> values_at(const Study& study, const double* u) {
  std::vector<double> values(study.axes.size());
  for (std::size_t a = 0; a < values.size(); ++a) {
    const Distribution& spread = study.axes[a].spread;
    const double least = spread.least(), most = spread.most();
    values[a] = spread.kind == Distribution::Kind::log_uniform ? least * std::pow(most / least, u[a])
                                                               : least + u[a] * (most - least);
  }
  return values;
}

/// Change of the value of an axis per change of its place in the unit cube.
double rate_of(const Distribution& spread, double u) {
  const double least = spread.least(), most = spread.most();
  return spread.kind == Distribution::Kind::log_uniform ? least * std::pow(most / least, u) * std::log(most / least)
                                                        : most - least;
}

/// How far a value is beyond a limit, part of the limit (of 1, where the limit is 0); negative: within.
struct Limit {
  int output;
  double bound;
  double sign;  ///< 1: at most the bound, -1: at least
  double excess(const std::vector<double>& outputs) const {
    const double value = outputs[output];
    return std::isnan(value) ? 1.0 : sign * (value - bound) / (bound != 0.0 ? std::abs(bound) : 1.0);
  }
};

std::vector<Limit> limits_of(const Study& study, const std::vector<Constraint>& constraints) {
  std::vector<Limit> limits;
  for (const Constraint& each : constraints) {
    const int output = study.output_named(each.output);
    if (each.most) limits.push_back({output, *each.most, 1.0});
    if (each.least) limits.push_back({output, *each.least, -1.0});
  }
  return limits;
}

bool knows_limits(OptimizeMethod method) {
  return method == OptimizeMethod::cobyla || method == OptimizeMethod::slsqp || method == OptimizeMethod::mma;
}

nlopt_algorithm algorithm_of(OptimizeMethod method) {
  switch (method) {
    case OptimizeMethod::cobyla:
      return NLOPT_LN_COBYLA;
    case OptimizeMethod::bobyqa:
      return NLOPT_LN_BOBYQA;
    case OptimizeMethod::nelder_mead:
      return NLOPT_LN_NELDERMEAD;
    case OptimizeMethod::direct:
      return NLOPT_GN_DIRECT_L;
    case OptimizeMethod::slsqp:
      return NLOPT_LD_SLSQP;
    case OptimizeMethod::mma:
      return NLOPT_LD_MMA;
  }
  return NLOPT_LN_COBYLA;
}

std::string ending_of(nlopt_result result) {
  switch (result) {
    case NLOPT_SUCCESS:
      return "converged";
    case NLOPT_FTOL_REACHED:
      return "the objective no longer changes";
    case NLOPT_XTOL_REACHED:
      return "the axes no longer change";
    case NLOPT_MAXEVAL_REACHED:
      return "as many evaluations as allowed";
    case NLOPT_FORCED_STOP:
      return "stopped";
    case NLOPT_ROUNDOFF_LIMITED:
      return "rounding leaves no progress";
    default:
      return fmt::format("NLopt ended with code {}", static_cast<int>(result));
  }
}

/// A search under way. NLopt asks for the objective and for every limit at one point after the other.
class Searcher {
 public:
  Searcher(const StudyEvaluator& evaluator, const Search& search, const OptimizeControl& control, std::mutex& mutex)
      : evaluator_(evaluator),
        study_(evaluator.study()),
        search_(search),
        control_(control),
        mutex_(mutex),
        limits_(limits_of(study_, search.limits)),
        output_(study_.output_named(search.objective.output)) {
    const std::vector<char> known = evaluator.with_slopes();
    has_slopes_ = std::find(known.begin(), known.end(), 1) != known.end();
  }

  Optimum run(const OptimizeOptions& options) {
    const auto n = static_cast<unsigned>(study_.axes.size());
    using Handle = std::unique_ptr<std::remove_pointer_t<nlopt_opt>, void (*)(nlopt_opt)>;
    const Handle local(nlopt_create(algorithm_of(options.method), n), nlopt_destroy);
    Handle around(nullptr, nlopt_destroy);
    if (!limits_.empty() && !knows_limits(options.method)) around.reset(nlopt_create(NLOPT_AUGLAG, n));
    handle_ = around ? around.get() : local.get();
    for (const nlopt_opt each : {local.get(), handle_}) {
      nlopt_set_lower_bounds1(each, 0.0);
      nlopt_set_upper_bounds1(each, 1.0);
      nlopt_set_xtol_abs1(each, options.tolerance);
      nlopt_set_maxeval(each, options.evaluations);
      nlopt_set_initial_step1(each, 0.1);
    }
    if (around) nlopt_set_local_optimizer(handle_, local.get());
    nlopt_set_min_objective(handle_, objective, this);
    std::vector<LimitCall> calls;
    for (const Limit& limit : limits_) calls.push_back({this, &limit});
    for (LimitCall& call : calls) nlopt_add_inequality_constraint(handle_, excess, &call, 1e-9);
    std::vector<double> u = search_.start;
    double reached = 0.0;
    const nlopt_result result = nlopt_optimize(handle_, u.data(), &reached);
    if (error_) std::rethrow_exception(error_);
    best_.ending = ending_of(result);
    best_.converged = result == NLOPT_SUCCESS || result == NLOPT_FTOL_REACHED || result == NLOPT_XTOL_REACHED ||
                      result == NLOPT_ROUNDOFF_LIMITED;
    best_.evaluations = steps_;
    return best_;
  }

 private:
  struct LimitCall {
    Searcher* search;
    const Limit* limit;
  };

  /// An exception must not pass through NLopt, which is C.
  template <class Work>
  double guarded(const Work& work) {
    try {
      return work();
    } catch (...) {
      error_ = std::current_exception();
      nlopt_force_stop(handle_);
      return 0.0;
    }
  }

  static double objective(unsigned n, const double* u, double* slope, void* self) {
    auto& search = *static_cast<Searcher*>(self);
    return search.guarded([&] {
      return search.with_slope(n, u, slope, search.output_,
                               [&](const Variant& variant) { return search.cost(variant); });
    });
  }
  static double excess(unsigned n, const double* u, double* slope, void* data) {
    const auto& call = *static_cast<LimitCall*>(data);
    return call.search->guarded([&] {
      return call.search->with_slope(n, u, slope, call.limit->output, [&](const Variant& variant) {
        return variant.outputs.empty() ? 1.0 : call.limit->excess(variant.outputs);
      });
    });
  }

  /// `answer` is linear in output `output`. Its slopes are exact where the evaluator knows them, else differences of
  /// variants.
  template <class Answer>
  double with_slope(unsigned n, const double* u, double* slope, int output, const Answer& answer) {
    const std::vector<double> here(u, u + n);
    const double value = answer(at(here));
    if (slope == nullptr) return value;
    const MatrixX* known = slopes_at(here);
    for (unsigned i = 0; i < n; ++i) {
      if (known != nullptr && std::isfinite((*known)(output, i))) {
        Variant moved = at(here);
        moved.outputs[output] += (*known)(output, i) * rate_of(study_.axes[i].spread, u[i]);
        slope[i] = answer(moved) - value;
        continue;
      }
      std::vector<double> low(u, u + n), high(u, u + n);
      low[i] = std::max(0.0, u[i] - difference_step);
      high[i] = std::min(1.0, u[i] + difference_step);
      slope[i] = (answer(at(high)) - answer(at(low))) / (high[i] - low[i]);
    }
    return value;
  }

  /// Exact slopes of the outputs by the axes at this point; nothing where there are none.
  const MatrixX* slopes_at(const std::vector<double>& u) {
    const Variant& variant = at(u);
    if (!has_slopes_ || !variant.error.empty() || variant.outputs.empty()) return nullptr;
    if (slopes_point_ != u) {
      slopes_ = evaluator_.slopes(values_at(study_, u.data()), variant);
      slopes_point_ = u;
    }
    return &slopes_;
  }

  double cost(const Variant& variant) {
    const double value = variant.outputs.empty() ? std::nan("") : variant.outputs[output_];
    const double signed_value = search_.objective.maximize ? -value : value;
    if (size_ == 0.0 && std::isfinite(value)) size_ = value != 0.0 ? std::abs(value) : 1.0;
    return std::isfinite(value) && variant.error.empty() ? signed_value / size_ : failed_value;
  }

  /// The variant at this point; the last ones are remembered, since objective and limits ask for the same.
  const Variant& at(const std::vector<double>& u) {
    for (const auto& [point, variant] : recent_)
      if (point == u) return variant;
    const long number = search_.number * search_stride + steps_++;
    const std::vector<double> values = values_at(study_, u.data());
    Variant variant;
    const Variant* known = control_.known ? control_.known(number) : nullptr;
    bool is_stopped = false;
    if (known != nullptr) {
      variant = *known;
    } else if (control_.stop != nullptr && control_.stop->load()) {
      is_stopped = true;
    } else {
      variant = evaluator_.evaluate(values, nullptr, control_.stop);
      is_stopped = control_.stop != nullptr && control_.stop->load();
    }
    if (is_stopped) {
      nlopt_force_stop(handle_);
      variant = {{}, "stopped"};
    } else {
      const std::lock_guard lock(mutex_);
      if (known == nullptr && control_.finished) control_.finished(number, values, variant);
      if (control_.passed) control_.passed(number, values, variant);
    }
    look_at(values, variant);
    if (recent_.size() > 2 * study_.axes.size() + 4) recent_.erase(recent_.begin());
    return recent_.emplace_back(u, std::move(variant)).second;
  }

  /// Is it the best so far? Within all limits before beyond one; then by the objective.
  void look_at(const std::vector<double>& values, const Variant& variant) {
    if (!variant.error.empty() || variant.outputs.empty() || std::isnan(variant.outputs[output_])) return;
    double beyond = 0.0;
    for (const Limit& limit : limits_) beyond = std::max(beyond, limit.excess(variant.outputs));
    const bool feasible = beyond <= limit_slack;
    const double value = (search_.objective.maximize ? -1.0 : 1.0) * variant.outputs[output_];
    const bool better = best_.values.empty() || (feasible && !best_.feasible) ||
                        (feasible == best_.feasible && (feasible ? value < best_value_ : beyond < best_beyond_));
    if (!better) return;
    best_.values = values;
    best_.outputs = variant.outputs;
    best_.feasible = feasible;
    best_value_ = value;
    best_beyond_ = beyond;
  }

  const StudyEvaluator& evaluator_;
  const Study& study_;
  const Search& search_;
  const OptimizeControl& control_;
  std::mutex& mutex_;
  std::vector<Limit> limits_;
  int output_;
  nlopt_opt handle_ = nullptr;
  std::vector<std::pair<std::vector<double>, Variant>> recent_;
  bool has_slopes_ = false;  ///< of some outputs, exact
  std::vector<double> slopes_point_;
  MatrixX slopes_;
  long steps_ = 0;
  double size_ = 0.0;  ///< of the objective, from its first value
  Optimum best_;
  double best_value_ = 0.0, best_beyond_ = 0.0;
  std::exception_ptr error_;
};

/// The middle, then points of Sobol's sequence.
std::vector<double> start_point(const Study& study, int start) {
  std::vector<double> u(study.axes.size(), 0.5);
  for (std::size_t a = 0; a < u.size() && start > 0; ++a)
    u[a] =
        (static_cast<double>(sobol_digits(static_cast<std::uint32_t>(start) + 1, static_cast<int>(a))) + 0.5) * 0x1p-32;
  return u;
}

std::vector<Optimum> run_searches(const StudyEvaluator& evaluator, const std::vector<Search>& searches,
                                  const OptimizeOptions& options, const OptimizeControl& control) {
  std::vector<Optimum> found(searches.size());
  std::mutex mutex;
  detail::side_by_side(control.threads, searches.size(), [&](std::size_t i) {
    found[i] = Searcher(evaluator, searches[i], control, mutex).run(options);
  });
  return found;
}

/// Index of the best that keeps its limits; -1: none does.
int best_of(const Study& study, const Objective& objective, const std::vector<Optimum>& found) {
  const int output = study.output_named(objective.output);
  int best = -1;
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (!found[i].feasible) continue;
    const double sign = objective.maximize ? -1.0 : 1.0;
    if (best < 0 || sign * found[i].outputs[output] < sign * found[best].outputs[output]) best = static_cast<int>(i);
  }
  return best;
}

std::vector<Search> searches_for(const Study& study, const Objective& objective, const std::vector<Constraint>& limits,
                                 const OptimizeOptions& options, long& number) {
  std::vector<Search> searches;
  for (int start = 0; start < options.starts; ++start)
    searches.push_back({number++, objective, limits, start_point(study, start)});
  return searches;
}

/// Keeps what no other beats in both objectives, in the order of the first; of those that are nearer than `tolerance`
/// of the whole front in both, where searches from several starts ended, one.
std::vector<Optimum> undominated(const Study& study, std::vector<Optimum> found, double tolerance) {
  const auto value = [&](const Optimum& each, int i) {
    const Objective& objective = study.objectives[i];
    return (objective.maximize ? -1.0 : 1.0) * each.outputs[study.output_named(objective.output)];
  };
  std::erase_if(found, [](const Optimum& each) { return !each.feasible; });
  std::vector<Optimum> front;
  for (const Optimum& each : found) {
    const bool beaten = std::any_of(found.begin(), found.end(), [&](const Optimum& other) {
      return value(other, 0) <= value(each, 0) && value(other, 1) <= value(each, 1) &&
             (value(other, 0) < value(each, 0) || value(other, 1) < value(each, 1));
    });
    if (!beaten) front.push_back(each);
  }
  std::stable_sort(front.begin(), front.end(),
                   [&](const Optimum& a, const Optimum& b) { return value(a, 0) < value(b, 0); });
  if (front.empty()) return front;
  const auto near = [&](const Optimum& a, const Optimum& b, int i) {
    return std::abs(value(a, i) - value(b, i)) <=
           tolerance * std::abs(value(front.back(), i) - value(front.front(), i));
  };
  std::vector<Optimum> apart{front.front()};
  for (const Optimum& each : front)
    if (!near(apart.back(), each, 0) || !near(apart.back(), each, 1)) apart.push_back(each);
  return apart;
}

/// The first objective as small as possible while the second one keeps within a limit that moves from end to end.
void find_front(const StudyEvaluator& evaluator, const OptimizeOptions& options, const OptimizeControl& control,
                OptimizeAnswer& answer) {
  const Study& study = evaluator.study();
  const Objective &first = study.objectives[0], &second = study.objectives[1];
  const int output = study.output_named(second.output);
  long number = 0;
  std::vector<Search> ends = searches_for(study, first, study.constraints, options, number);
  for (Search& each : searches_for(study, second, study.constraints, options, number)) ends.push_back(std::move(each));
  std::vector<Optimum> found = run_searches(evaluator, ends, options, control);
  const std::vector<Optimum> of_first(found.begin(), found.begin() + options.starts),
      of_second(found.begin() + options.starts, found.end());
  const int a = best_of(study, first, of_first), b = best_of(study, second, of_second);
  if (a < 0 || b < 0) return;
  const double from = of_first[a].outputs[output], to = of_second[b].outputs[output];
  std::vector<Search> between;
  for (int i = 1; i + 1 < options.points; ++i) {
    const double bound = from + (to - from) * i / (options.points - 1);
    std::vector<Constraint> limits = study.constraints;
    Constraint moved{second.output, {}, {}};
    (second.maximize ? moved.least : moved.most) = bound;
    limits.push_back(moved);
    for (Search& each : searches_for(study, first, limits, options, number)) between.push_back(std::move(each));
  }
  for (Optimum& each : run_searches(evaluator, between, options, control)) found.push_back(std::move(each));
  answer.front = undominated(study, std::move(found), options.tolerance);
}

}  // namespace

void require_searchable(const Study& study) {
  if (study.objectives.empty())
    throw MechanismError("objectives", "an optimisation needs an objective: objectives: {OUTPUT: minimize}");
  for (const StudyAxis& axis : study.axes) {
    if (axis.spread.is_discrete())
      throw MechanismError(axis.name, "an optimisation needs axes without gaps; say 'uniform: [from, to]'");
    if (!std::isfinite(axis.spread.least()) || !std::isfinite(axis.spread.most()))
      throw MechanismError(axis.name, "an optimisation needs ends; say 'uniform: [from, to]', or 'low' and 'high'");
  }
  if (static_cast<int>(study.axes.size()) > sobol_dimensions)
    throw MechanismError("axes", fmt::format("at most {} axes can be optimised together", sobol_dimensions));
}

bool takes_slopes(OptimizeMethod method) { return method == OptimizeMethod::slsqp || method == OptimizeMethod::mma; }

std::string name_of(OptimizeMethod method) {
  switch (method) {
    case OptimizeMethod::cobyla:
      return "cobyla";
    case OptimizeMethod::bobyqa:
      return "bobyqa";
    case OptimizeMethod::nelder_mead:
      return "nelder-mead";
    case OptimizeMethod::direct:
      return "direct";
    case OptimizeMethod::slsqp:
      return "slsqp";
    case OptimizeMethod::mma:
      return "mma";
  }
  return {};
}

OptimizeAnswer optimize(const StudyEvaluator& evaluator, const OptimizeOptions& options,
                        const OptimizeControl& control) {
  const Study& study = evaluator.study();
  require_searchable(study);
  OptimizeAnswer answer;
  if (study.objectives.size() == 2) {
    find_front(evaluator, options, control, answer);
  } else {
    long number = 0;
    answer.searches = run_searches(
        evaluator, searches_for(study, study.objectives[0], study.constraints, options, number), options, control);
    answer.best = best_of(study, study.objectives[0], answer.searches);
  }
  answer.stopped = control.stop != nullptr && control.stop->load();
  return answer;
}

}  // namespace lithe
