// MuJoCo 2.2: mj_forward and mj_inverse, the whole pipeline. Loops become soft `connect` constraints.

#include <fmt/format.h>
#include <mujoco/mujoco.h>

#include <cstring>
#include <functional>
#include <sstream>
#include <stdexcept>

#include "engine.hpp"

namespace bench {
namespace {

std::string text(const Eigen::Vector3d& v) {
  std::ostringstream out;
  out.precision(17);
  out << v.x() << ' ' << v.y() << ' ' << v.z();
  return out.str();
}

std::string to_xml(const Case& mechanism) {
  std::ostringstream out;
  out.precision(17);
  out << "<mujoco><compiler inertiafromgeom='false'/><option gravity='" << text(mechanism.gravity)
      << "'/><size nstack='8000000' njmax='200'/><worldbody>";
  const std::function<void(int)> write_children = [&](int parent) {
    for (std::size_t i = 0; i < mechanism.bodies.size(); ++i) {
      const Body& body = mechanism.bodies[i];
      if (body.parent != parent) continue;
      out << "<body name='b" << i << "' pos='" << text(body.offset) << "'><inertial pos='" << text(body.centre)
          << "' mass='" << body.mass << "' diaginertia='" << text(body.inertia) << "'/><joint name='j" << i << "' ";
      if (body.kind == Kind::ball)
        out << "type='ball'/>";
      else
        out << "type='" << (body.kind == Kind::revolute ? "hinge" : "slide") << "' axis='" << text(body.axis) << "'/>";
      write_children(static_cast<int>(i));
      out << "</body>";
    }
  };
  write_children(-1);
  out << "</worldbody>";
  if (!mechanism.pins.empty()) {
    out << "<equality>";
    for (const Pin& pin : mechanism.pins)
      out << "<connect body1='b" << pin.a << "' body2='b" << pin.b << "' anchor='" << text(pin.point_a) << "'/>";
    out << "</equality>";
  }
  out << "</mujoco>";
  return out.str();
}

class MujocoEngine final : public Engine {
 public:
  explicit MujocoEngine(const Case& mechanism) : mechanism_(mechanism) {
    const std::string xml = to_xml(mechanism);
    auto files = std::make_unique<mjVFS>();
    mj_defaultVFS(files.get());
    mj_makeEmptyFileVFS(files.get(), "case.xml", static_cast<int>(xml.size()));
    std::memcpy(files->filedata[mj_findFileVFS(files.get(), "case.xml")], xml.data(), xml.size());
    char error[1000] = "";
    model_ = mj_loadXML("case.xml", files.get(), error, sizeof error);
    mj_deleteVFS(files.get());
    if (model_ == nullptr) throw std::runtime_error(std::string("MuJoCo: ") + error);
    // The compiler aligns anchors at zero coordinates, where our loops are open; set the second point by hand.
    for (std::size_t i = 0; i < mechanism.pins.size(); ++i)
      for (int k = 0; k < 3; ++k) model_->eq_data[mjNEQDATA * i + 3 + k] = mechanism.pins[i].point_b[k];
    data_ = mj_makeData(model_);
  }
  ~MujocoEngine() override {
    mj_deleteData(data_);
    mj_deleteModel(model_);
  }

  void take(const std::vector<Motion>& pool) override {
    // MuJoCo numbers joints depth first; so do the cases, except that bodies of later legs follow the platform. Names
    // keep the correspondence.
    pool_.clear();
    for (const Motion& motion : pool) {
      Motion own;
      own.q.resize(model_->nq);
      own.v.resize(model_->nv);
      own.a.resize(model_->nv);
      own.tau.resize(model_->nv);
      each_joint([&](int q, int nq, int v, int nv, int own_q, int own_v) {
        own.q.segment(own_q, nq) = motion.q.segment(q, nq);
        own.v.segment(own_v, nv) = motion.v.segment(v, nv);
        own.a.segment(own_v, nv) = motion.a.segment(v, nv);
        own.tau.segment(own_v, nv) = motion.tau.segment(v, nv);
      });
      pool_.push_back(std::move(own));
    }
  }

  void forward(int index) override {
    const Motion& motion = pool_[index];
    set_state(motion);
    std::memcpy(data_->qfrc_applied, motion.tau.data(), sizeof(double) * model_->nv);
    mj_forward(model_, data_);
  }
  void inverse(int index) override {
    const Motion& motion = pool_[index];
    set_state(motion);
    std::memcpy(data_->qacc, motion.a.data(), sizeof(double) * model_->nv);
    mj_inverse(model_, data_);
  }

  Eigen::VectorXd accelerations() const override { return collect(data_->qacc); }
  Eigen::VectorXd forces() const override { return collect(data_->qfrc_inverse); }

 private:
  void set_state(const Motion& motion) {
    std::memcpy(data_->qpos, motion.q.data(), sizeof(double) * model_->nq);
    std::memcpy(data_->qvel, motion.v.data(), sizeof(double) * model_->nv);
  }

  template <class Visit>
  void each_joint(const Visit& visit) const {
    int q = 0, v = 0;
    for (std::size_t i = 0; i < mechanism_.bodies.size(); ++i) {
      const Kind kind = mechanism_.bodies[i].kind;
      const int joint = mj_name2id(model_, mjOBJ_JOINT, fmt::format("j{}", i).c_str());
      const int nq = coordinate_count(kind), nv = speed_count(kind);
      visit(q, nq, v, nv, model_->jnt_qposadr[joint], model_->jnt_dofadr[joint]);
      q += nq;
      v += nv;
    }
  }
  Eigen::VectorXd collect(const double* own) const {
    Eigen::VectorXd result(model_->nv);
    each_joint([&](int, int, int v, int nv, int, int own_v) {
      for (int k = 0; k < nv; ++k) result[v + k] = own[own_v + k];
    });
    return result;
  }

  Case mechanism_;
  mjModel* model_ = nullptr;
  mjData* data_ = nullptr;
  std::vector<Motion> pool_;
};

}  // namespace

std::unique_ptr<Engine> make_mujoco(const Case& mechanism) { return std::make_unique<MujocoEngine>(mechanism); }

}  // namespace bench
