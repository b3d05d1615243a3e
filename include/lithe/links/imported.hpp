#pragma once
// Links from other finite-element programs: mass and stiffness matrices with the nodes they belong to.

#include <Eigen/SparseCore>
#include <array>
#include <string>
#include <vector>

#include "lithe/links/elastic_model.hpp"

namespace lithe {

using SparseMatrix = Eigen::SparseMatrix<double>;

/// Mass and stiffness of a free part (no supports), both halves stored, in link axes and SI units.
struct ImportedMatrices {
  struct Node {
    int number = 0;                ///< as the other program calls it
    Vec3 position = Vec3::Zero();  ///< link axes (m)
  };
  struct Row {
    int node = 0;       ///< place in `nodes`
    int direction = 0;  ///< 0, 1, 2: displacement along x, y, z; 3, 4, 5: rotation about them
  };
  SparseMatrix mass, stiffness;
  std::vector<Node> nodes;
  std::vector<Row> rows;                  ///< what each row of the matrices is
  std::vector<std::array<int, 2>> lines;  ///< places in `nodes` that a picture joins; may be empty
};

/// A frame that moves with a group of nodes: the rigid motion that fits their displacements best (least squares, all
/// nodes alike). One node with rotations is followed exactly; one without gives no rotation, nodes in a line none about
/// it.
struct ImportedFrame {
  std::string name;
  std::vector<int> nodes;            ///< numbers of the other program
  Mat3 rotation = Mat3::Identity();  ///< axes of the frame, link axes; its origin is the mean of the nodes
};

struct ImportOptions {
  /// Above so many rows the part is condensed first: the nodes of the frames keep their coordinates, the rest follows
  /// statically and with `inner_modes` modes (Craig-Bampton with sparse matrices).
  int condense_above = 1000;
  int inner_modes = 40;
};

/// The model with one coordinate per row (or the condensed ones). Mass, centre, inertia and all shape integrals are
/// made from the mass matrix itself, not from lumps; docs/theory/links.md says which are exact. Foreshortening is not
/// known for such a link, so it takes no stiffening. Throws MechanismError naming `link` for matrices that do not fit
/// together, that are not symmetric, or that are not those of a free part.
ElasticModel imported_model(const std::string& link, const ImportedMatrices& part,
                            const std::vector<ImportedFrame>& frames, const ImportOptions& options = {});

}  // namespace lithe
