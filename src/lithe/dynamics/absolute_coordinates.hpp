#pragma once
// A mechanism in absolute coordinates, as the multibody textbooks and Brillarelli (3.1)-(3.19) have it: each link by the position p
// of its frame, Euler parameters e and elastic coordinates eta; all joints, those of the tree too, as equations. In the plane
// two Euler parameters are left, the cosine and the sine of half the angle.
//
// Bodies are the nodes that carry links; nodes between them, of joints with several freedoms, have no mass and take part in the
// equations of their joint only. Everything is linear in what is solved for: accelerations (minus those at zero joint
// accelerations), corrections of speeds, corrections of positions. Vectors are in ground axes.

#include <vector>

#include "lithe/dynamics/skyline.hpp"
#include "lithe/kinematics/closures.hpp"
#include "lithe/kinematics/kernel.hpp"

namespace lithe::detail {

/// What a wrench or a relative twist is paired with: moment and force (or their directions), ground axes.
template <class S>
struct Screw {
  typename S::Angular n = S::zero_angular();
  typename S::Linear f = S::Linear::Zero();
};

template <class S>
class AbsoluteCoordinates {
 public:
  static constexpr int linear = S::linear_size, angular = S::angular_size, euler = angular + 1, rigid = linear + euler,
                       screw = linear + angular;
  using ScrewVector = Eigen::Matrix<double, screw, 1>;
  using ScrewRows = Eigen::Matrix<double, Eigen::Dynamic, screw, Eigen::RowMajor, screw, screw>;

  explicit AbsoluteCoordinates(const Kernel<S>& k);

  int size() const { return size_; }

  /// Inertia of the bodies and the directions of all joints, for the stored positions. Takes all equations off.
  void place(Kernel<S>& k);

  // Equations "row . x = target". Those of rotations are of order one, those of distances are divided by the length of the mechanism.
  void require_joints(const Kernel<S>& k);  ///< the joints of the tree, and Euler parameters of unit length
  void require_cut_row(const Kernel<S>& k, int cut, int row, double target);
  /// Sum of factor times tree speed, one pair after the other.
  void begin_tie(double target);
  void tie(const Kernel<S>& k, int speed, double factor);

  /// The right side: minus the wrenches and elastic forces that bodies need, from node_forces(), and forces along the tree speeds.
  void set_forces(const Kernel<S>& k, const VectorX& needed, const VectorX& tau);
  void clear_forces() { force_.setZero(); }

  /// M x + Phi^T lambda = force, Phi x = targets, by the iteration of Bayo and Ledesma. Returns a coordinate without inertia, or -1.
  int factor(const Kernel<S>& k);
  bool iterate();

  /// The solution along the tree speeds.
  void tree_part(const Kernel<S>& k, VectorX& a) const;
  /// A tree speed that moves the body of a coordinate.
  int speed_of(int coordinate) const;

 private:
  /// A place on a body: fixed to its frame, or moving with a mount.
  struct Place {
    int body = -1, mount = -1;
  };
  struct Body {
    int node = -1, at = 0, size = rigid;
    int elastic = -1, elastic_v = 0;  ///< index into Tables::bodies, and its first speed
    Place held, holder;               ///< where its joint takes hold of it, and of the body that carries it
    std::vector<int> chain;           ///< nodes of that joint
    std::vector<int> speeds;          ///< and their speeds
    // At the stored positions.
    Eigen::Matrix<double, angular, euler> spin;    ///< angular velocity = spin e'
    Eigen::Matrix<double, euler, 1> e;             ///< Euler parameters
    typename S::Linear point = S::Linear::Zero();  ///< of the joint, where relative motion is measured
    ScrewRows free, fixed;                         ///< relative motion to joint speeds, and to what the joint forbids
    MatrixX inertia;
  };
  struct Segment {
    int body = 0, at = 0, size = 0, first = 0;  ///< coordinates [at, at + size), coefficients from `first` on
  };
  struct Row {
    int first = 0, count = 0;  ///< segments
    double target = 0.0;
  };
  struct Owner {
    int body = -1, joint = -1, elastic = -1;  ///< number among the speeds of the joint, or of the elastic ones
  };

  void place_body(Kernel<S>& k, Body& body);
  void place_joint(const Kernel<S>& k, Body& body);
  Row& begin(std::vector<Row>& rows, double target);
  void add_segment(Row& row, int body, int at, int size);
  void add_side(const Kernel<S>& k, Row& row, const Place& place, const typename S::Linear& point, const Screw<S>& d,
                double sign);
  void add_relative(const Kernel<S>& k, Row& row, const Body& body, const ScrewVector& d, double factor);
  void add_speed(const Kernel<S>& k, Row& row, int speed, double factor);
  double times(const Row& row, const VectorX& x) const;
  void add_transposed(const Row& row, double factor, VectorX& x) const;
  void add_square(const Row& row, double weight);
  void inertia_times(const VectorX& x, VectorX& result) const;

  double length_ = 1.0, weight_ = 1.0;  ///< weight: that of the equations in the matrix, kg m^2
  int size_ = 0;
  std::vector<int> body_of_node_;
  std::vector<Body> bodies_;
  std::vector<Owner> owners_;  ///< per tree speed
  std::vector<double> coefficients_;
  std::vector<Segment> segments_;
  std::vector<Row> rows_, rotors_;
  std::vector<int> first_, first_of_body_;
  Skyline matrix_;
  VectorX force_, solution_, residual_, lambda_;
};

}  // namespace lithe::detail
