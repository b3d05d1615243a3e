// Many states at once, numpy in and numpy out: a row is a state.

#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <limits>
#include <utility>

#include "prepared.hpp"

namespace lithe::python {
namespace {

using Rows = py::array_t<double, py::array::c_style | py::array::forcecast>;

/// Rows of numpy are the columns of a Batch, without a copy.
Eigen::Map<const MatrixX> columns_of(const Rows& rows, py::ssize_t length, py::ssize_t count, const char* name) {
  if (rows.ndim() != 2 || rows.shape(1) != length || (count >= 0 && rows.shape(0) != count)) {
    throw py::value_error(std::string(name) + " has one row per state with " + std::to_string(length) +
                          " entries each" + (count >= 0 ? ", and as many rows as q" : ""));
  }
  return {rows.data(), static_cast<Eigen::Index>(length), static_cast<Eigen::Index>(rows.shape(0))};
}

Eigen::Map<MatrixX> columns_of(Rows& rows) {
  return {rows.mutable_data(), static_cast<Eigen::Index>(rows.shape(1)), static_cast<Eigen::Index>(rows.shape(0))};
}

void check(const PreparedModel& self, std::span<const Status> statuses, const std::string& failed,
           Eigen::Map<MatrixX> results) {
  for (std::size_t i = 0; i < statuses.size(); ++i) {
    if (statuses[i]) continue;
    if (failed == "raise")
      throw PhysicsError("state " + std::to_string(i) + ": " + describe(self.plan(), statuses[i], 0.0));
    results.col(static_cast<Eigen::Index>(i)).setConstant(std::numeric_limits<double>::quiet_NaN());
  }
}

void check_choices(const std::string& failed, int threads) {
  if (failed != "raise" && failed != "nan") throw py::value_error("failed is 'raise' or 'nan', not '" + failed + "'");
  if (threads < 1) throw py::value_error("threads is at least 1");
}

/// The batch of the last call, where it fits, else a new one; given back at the end. Made and dropped with the lock of the
/// interpreter: another thread that calls meanwhile finds none and makes its own.
class LentBatch {
 public:
  LentBatch(PreparedModel& self, int threads) : self_(self), kept_(std::exchange(self.kept, {})) {
    if (kept_.batch && kept_.threads == threads && kept_.uses == self.uses) return;
    kept_ = {threads, self.uses, std::make_unique<Batch>(self.plan(), self.prepared.work, threads)};
  }
  ~LentBatch() { self_.kept = std::move(kept_); }
  LentBatch(const LentBatch&) = delete;
  LentBatch& operator=(const LentBatch&) = delete;
  Batch* operator->() const { return kept_.batch.get(); }

 private:
  PreparedModel& self_;
  KeptBatch kept_;
};

Rows forward_batch(PreparedModel& self, const Rows& q, const Rows& v, const std::optional<Rows>& tau,
                   const Loads& loads, int threads, const std::string& failed) {
  check_choices(failed, threads);
  const auto q_columns = columns_of(q, self.plan().nq(), -1, "q");
  const auto v_columns = columns_of(v, self.plan().nv(), q.shape(0), "v");
  const Actions actions = actions_of(self, {}, loads);
  MatrixX forces = MatrixX::Zero(actions.tau.size(), q_columns.cols());
  if (tau) {
    const std::vector<int>& actuated = self.plan().actuated_speeds();
    const auto given = columns_of(*tau, static_cast<py::ssize_t>(actuated.size()), q.shape(0), "tau");
    for (std::size_t i = 0; i < actuated.size(); ++i) forces.row(actuated[i]) = given.row(static_cast<Eigen::Index>(i));
  }
  Rows a({q.shape(0), static_cast<py::ssize_t>(self.plan().nv())});
  auto a_columns = columns_of(a);
  const LentBatch batch(self, threads);
  {
    const py::gil_scoped_release unlocked;
    check(self, batch->forward(q_columns, v_columns, forces, actions, a_columns), failed, a_columns);
  }
  return a;
}

Rows inverse_batch(PreparedModel& self, const Rows& q, const Rows& v, const Rows& a, const Loads& loads, int threads,
                   const std::string& failed) {
  check_choices(failed, threads);
  const auto q_columns = columns_of(q, self.plan().nq(), -1, "q");
  const auto v_columns = columns_of(v, self.plan().nv(), q.shape(0), "v");
  const auto a_columns = columns_of(a, self.plan().nv(), q.shape(0), "a");
  const Actions actions = actions_of(self, {}, loads);
  Rows force({q.shape(0), static_cast<py::ssize_t>(self.prepared.work.independent().size())});
  auto force_columns = columns_of(force);
  const LentBatch batch(self, threads);
  {
    const py::gil_scoped_release unlocked;
    check(self, batch->inverse(q_columns, v_columns, a_columns, actions, force_columns), failed, force_columns);
  }
  return force;
}

py::tuple poses_batch(PreparedModel& self, const Rows& q, const std::vector<std::string>& frames, int threads) {
  check_choices("raise", threads);
  const auto q_columns = columns_of(q, self.plan().nq(), -1, "q");
  std::vector<FrameRef> refs;
  for (const std::string& frame : frames) refs.push_back(frame_of(self, frame));
  const auto count = static_cast<py::ssize_t>(frames.size());
  MatrixX poses(12 * count, q_columns.cols());
  const LentBatch batch(self, threads);
  {
    const py::gil_scoped_release unlocked;
    batch->poses(q_columns, refs, poses);
  }
  py::array_t<double> rotations({q.shape(0), count, py::ssize_t{3}, py::ssize_t{3}});
  py::array_t<double> positions({q.shape(0), count, py::ssize_t{3}});
  auto rotation = rotations.mutable_unchecked<4>();
  auto position = positions.mutable_unchecked<3>();
  for (py::ssize_t i = 0; i < q.shape(0); ++i)
    for (py::ssize_t f = 0; f < count; ++f)
      for (int row = 0; row < 3; ++row) {
        for (int column = 0; column < 3; ++column) rotation(i, f, row, column) = poses(12 * f + 3 * column + row, i);
        position(i, f, row) = poses(12 * f + 9 + row, i);
      }
  return py::make_tuple(rotations, positions);
}

}  // namespace

void bind_batch(py::class_<PreparedModel, std::shared_ptr<PreparedModel>>& prepared) {
  prepared
      .def("forward_batch", &forward_batch, py::arg("q"), py::arg("v"), py::arg("tau") = py::none(), py::kw_only(),
           py::arg("loads") = py::none(), py::arg("threads") = 1, py::arg("failed") = "raise",
           R"(Accelerations of many states at once: one row per state, nv columns.

q, v: coordinates and speeds of all tree joints, one row per state; they satisfy the closures
tau: motor forces, one row per state, columns in the order of Prepared.actuated; default none
loads: as in forward_dynamics(), the same for all states
threads: the numbers do not depend on it
failed: 'raise' PhysicsError at the first state that cannot be evaluated, or fill its row with 'nan')")
      .def("inverse_batch", &inverse_batch, py::arg("q"), py::arg("v"), py::arg("a"), py::kw_only(),
           py::arg("loads") = py::none(), py::arg("threads") = 1, py::arg("failed") = "raise",
           R"(Forces that many motions need, along the independent speeds: columns in the order of Prepared.independent.

a: accelerations of all tree speeds, one row per state; the others as in forward_batch().)")
      .def("poses_batch", &poses_batch, py::arg("q"), py::arg("frames"), py::kw_only(), py::arg("threads") = 1,
           R"(Poses of frames in many states: rotations (states, frames, 3, 3) and positions (states, frames, 3; m).)");
}

}  // namespace lithe::python
