#pragma once
// An imported part: its rigid motions, its integrals from the mass matrix, its condensation.

#include "lithe/links/imported.hpp"

namespace lithe::detail {

/// Throws MechanismError naming `link`: sizes, symmetry, rows, rigid motions free of stress, one mass in all
/// directions.
void check_part(const std::string& link, const ImportedMatrices& part);

class ImportedPart {
 public:
  /// `shapes` gives the rows per coordinate of the model; empty: the coordinates are the rows themselves.
  ImportedPart(ImportedMatrices part, MatrixX shapes);

  const ImportedMatrices& matrices() const { return part_; }
  /// Motion of every row per column of `basis`.
  MatrixX expand(const MatrixX& basis) const;
  MatrixX project(const SparseMatrix& matrix) const;  ///< onto the coordinates of the model

  /// Motions of all rows by unit translations and rotations about the origin (six columns).
  const MatrixX& rigid() const { return rigid_; }

  /// Mass, centre, inertia and the shape integrals.
  void integrate(const MatrixX& basis, LinkData& link) const;
  /// Nodes as lumps for names and pictures: diagonal of the mass matrix, scaled to the mass. Not used for integrals.
  std::vector<FieldPoint> lumps(const MatrixX& basis) const;
  Frame frame(const ImportedFrame& frame, const MatrixX& basis) const;
  Outline outline(const MatrixX& basis) const;

 private:
  /// Rows of `full` for one direction, one per node; zero where a node has none.
  MatrixX along(const MatrixX& full, int direction) const;

  ImportedMatrices part_;
  MatrixX shapes_, rigid_;
  std::array<SparseMatrix, 3> node_mass_;  ///< the x, y and z part of the mass matrix, node by node
  VectorX lump_masses_;                    ///< per node
};

/// Craig-Bampton shapes with the rows of the frames' nodes as boundary; rows of the part per coordinate.
MatrixX condensation(const std::string& link, const ImportedMatrices& part, const std::vector<ImportedFrame>& frames,
                     int inner_modes, std::vector<std::string>& names);

}  // namespace lithe::detail
