// Simbody 3.7: realize to acceleration; residual forces. Loops become ball constraints (exact, projected by the
// caller). Must be compiled as C++17 and without NDEBUG, see bench/CMakeLists.txt.

#include <Simbody.h>

#include <Eigen/Geometry>

#include "engine.hpp"

namespace bench {
namespace {

SimTK::Vec3 to_simbody(const Eigen::Vector3d& v) { return {v.x(), v.y(), v.z()}; }

/// Rotation that takes `z` (revolute) or `x` (prismatic) of Simbody's joint frame to the wanted axis.
SimTK::Rotation joint_axes(const Body& body) {
  if (body.kind == Kind::ball) return {};
  const SimTK::CoordinateAxis own =
      body.kind == Kind::revolute ? SimTK::CoordinateAxis(SimTK::ZAxis) : SimTK::CoordinateAxis(SimTK::XAxis);
  return SimTK::Rotation(SimTK::UnitVec3(to_simbody(body.axis)), own);
}

class SimbodyEngine final : public Engine {
 public:
  explicit SimbodyEngine(const Case& mechanism)
      : mechanism_(mechanism),
        matter_(system_),
        forces_(system_),
        gravity_(forces_, matter_, to_simbody(mechanism.gravity)),
        motors_(forces_, matter_) {
    for (const Body& body : mechanism.bodies) add(body);
    for (const Pin& pin : mechanism.pins)
      SimTK::Constraint::Ball(bodies_[pin.a], to_simbody(pin.point_a), bodies_[pin.b], to_simbody(pin.point_b));
    state_ = system_.realizeTopology();
    system_.realizeModel(state_);
    residual_.resize(matter_.getNumMobilities());
  }

  void take(const std::vector<Motion>& pool) override {
    pool_.clear();
    for (const Motion& motion : pool) {
      Own own;
      own.q.resize(state_.getNQ());
      own.u.resize(state_.getNU());
      own.a.resize(state_.getNU());
      own.tau.resize(state_.getNU());
      int q = 0, v = 0;
      for (std::size_t i = 0; i < bodies_.size(); ++i) {
        const Kind kind = mechanism_.bodies[i].kind;
        const int own_q = bodies_[i].getFirstQIndex(state_), own_u = bodies_[i].getFirstUIndex(state_);
        for (int k = 0; k < coordinate_count(kind); ++k) own.q[own_q + k] = motion.q[q + k];
        // Simbody measures the speed of a ball joint in the axes of the parent, we in those of the body.
        const Eigen::Matrix3d turn = kind == Kind::ball ? ball_rotation(motion, q) : Eigen::Matrix3d::Identity();
        copy_speeds(motion.v, v, kind, turn, own.u, own_u);
        copy_speeds(motion.a, v, kind, turn, own.a, own_u);
        copy_speeds(motion.tau, v, kind, turn, own.tau, own_u);
        q += coordinate_count(kind);
        v += speed_count(kind);
      }
      pool_.push_back(own);
    }
    turns_.clear();
    for (const Motion& motion : pool) {
      int q = 0;
      Eigen::Matrix3d turn = Eigen::Matrix3d::Identity();
      for (const Body& body : mechanism_.bodies) {
        if (body.kind == Kind::ball) turn = ball_rotation(motion, q);
        q += coordinate_count(body.kind);
      }
      turns_.push_back(turn);
    }
  }

  void forward(int index) override {
    last_ = index;
    state_.updQ() = pool_[index].q;
    state_.updU() = pool_[index].u;
    motors_.setAllMobilityForces(state_, pool_[index].tau);
    system_.realize(state_, SimTK::Stage::Acceleration);
  }

  void inverse(int index) override {
    last_ = index;
    state_.updQ() = pool_[index].q;
    state_.updU() = pool_[index].u;
    motors_.clearAllMobilityForces(state_);
    system_.realize(state_, SimTK::Stage::Dynamics);
    matter_.calcResidualForceIgnoringConstraints(state_, system_.getMobilityForces(state_, SimTK::Stage::Dynamics),
                                                 system_.getRigidBodyForces(state_, SimTK::Stage::Dynamics),
                                                 pool_[index].a, residual_);
  }

  Eigen::VectorXd accelerations() const override { return collect(state_.getUDot()); }
  Eigen::VectorXd forces() const override { return collect(residual_); }

 private:
  struct Own {
    SimTK::Vector q, u, a, tau;
  };

  void add(const Body& body) {
    const SimTK::Vec3 centre = to_simbody(body.centre);
    const SimTK::Inertia central(body.inertia[0], body.inertia[1], body.inertia[2]);
    const SimTK::Body::Rigid rigid(
        SimTK::MassProperties(body.mass, centre, central.shiftFromMassCenter(centre, body.mass)));
    SimTK::MobilizedBody& parent = body.parent < 0 ? matter_.updGround() : bodies_[body.parent];
    const SimTK::Transform in_parent(joint_axes(body), to_simbody(body.offset)),
        in_body(joint_axes(body), SimTK::Vec3(0));
    if (body.kind == Kind::revolute)
      bodies_.push_back(SimTK::MobilizedBody::Pin(parent, in_parent, rigid, in_body));
    else if (body.kind == Kind::prismatic)
      bodies_.push_back(SimTK::MobilizedBody::Slider(parent, in_parent, rigid, in_body));
    else
      bodies_.push_back(SimTK::MobilizedBody::Ball(parent, in_parent, rigid, in_body));
  }

  static Eigen::Matrix3d ball_rotation(const Motion& motion, int q) {
    return Eigen::Quaterniond(motion.q[q], motion.q[q + 1], motion.q[q + 2], motion.q[q + 3]).toRotationMatrix();
  }
  static void copy_speeds(const Eigen::VectorXd& from, int v, Kind kind, const Eigen::Matrix3d& turn, SimTK::Vector& to,
                          int u) {
    if (kind == Kind::ball) {
      const Eigen::Vector3d turned = turn * from.segment<3>(v);
      for (int k = 0; k < 3; ++k) to[u + k] = turned[k];
    } else {
      to[u] = from[v];
    }
  }

  Eigen::VectorXd collect(const SimTK::Vector& own) const {
    Eigen::VectorXd result(own.size());
    int v = 0;
    for (std::size_t i = 0; i < bodies_.size(); ++i) {
      const int u = bodies_[i].getFirstUIndex(state_), count = speed_count(mechanism_.bodies[i].kind);
      for (int k = 0; k < count; ++k) result[v + k] = own[u + k];
      if (count == 3) result.segment<3>(v) = (turns_[last_].transpose() * result.segment<3>(v)).eval();
      v += count;
    }
    return result;
  }

  Case mechanism_;
  SimTK::MultibodySystem system_;
  SimTK::SimbodyMatterSubsystem matter_;
  SimTK::GeneralForceSubsystem forces_;
  SimTK::Force::UniformGravity gravity_;
  SimTK::Force::DiscreteForces motors_;
  std::vector<SimTK::MobilizedBody> bodies_;
  SimTK::State state_;
  SimTK::Vector residual_;
  std::vector<Own> pool_;
  std::vector<Eigen::Matrix3d> turns_;  ///< per state: orientation of the (only) ball joint
  int last_ = 0;
};

}  // namespace

std::unique_ptr<Engine> make_simbody(const Case& mechanism) { return std::make_unique<SimbodyEngine>(mechanism); }

}  // namespace bench
