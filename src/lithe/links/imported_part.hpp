#pragma once
// An imported part: its rigid motions, its integrals from the mass matrix, its condensation.

#include "lithe/links/imported.hpp"

namespace lithe::detail {

/// Throws MechanismError naming `link`: sizes, symmetry, rows, rigid motions free of stress, one mass in all
/// directions.
void check_part(const std::string& link, const ImportedMatrices& part);

class ImportedPart : public ElasticField {
 public:
  /// `shapes` gives the rows per coordinate of the model; empty: the coordinates are the rows themselves.
  ImportedPart(ImportedMatrices part, std::vector<ImportedFrame> frames, MatrixX shapes);

  /// Motion of every row per column of `basis`.
  MatrixX expand(const MatrixX& basis) const;
  MatrixX project(const SparseMatrix& matrix) const;  ///< onto the coordinates of the model

  /// Mass, centre, inertia and the shape integrals.
  bool integrate(const MatrixX& basis, LinkData& link) const override;
  MatrixX momenta() const override;
  /// Nodes as lumps for names and pictures: diagonal of the mass matrix, scaled to the mass. Not used for integrals.
  std::vector<FieldPoint> points(const MatrixX& basis, bool stiffening) const override;
  std::vector<Frame> frames(const MatrixX& basis, bool stiffening) const override;
  Outline outline(const MatrixX& basis) const override;

 private:
  Frame frame(const ImportedFrame& frame, const MatrixX& basis) const;
  /// Rows of `full` for one direction, one per node; zero where a node has none.
  MatrixX along(const MatrixX& full, int direction) const;

  ImportedMatrices part_;
  std::vector<ImportedFrame> frames_;
  MatrixX shapes_;
  MatrixX rigid_;  ///< motions of all rows by unit translations and rotations about the origin (six columns)
  std::array<SparseMatrix, 3> node_mass_;  ///< the x, y and z part of the mass matrix, node by node
  VectorX lump_masses_;                    ///< per node
};

/// Craig-Bampton shapes with the rows of the frames' nodes as boundary; rows of the part per coordinate.
MatrixX condensation(const std::string& link, const ImportedMatrices& part, const std::vector<ImportedFrame>& frames,
                     int inner_modes, std::vector<std::string>& names);

}  // namespace lithe::detail
