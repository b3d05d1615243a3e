#include "lithe/links/beam.hpp"

#include <memory>

#include "lithe/links/beam_mesh.hpp"
#include "lithe/links/beam_parts.hpp"

namespace lithe {

namespace {

using detail::BeamMesh;
using detail::BeamPiece;
using detail::ElementMatrix;
using detail::ShapeRow;

MatrixX stiffness(const BeamMesh& mesh) {
  return mesh.assembled([&](const BeamPiece& piece) {
    ElementMatrix k = ElementMatrix::Zero();
    const detail::BeamElement& e = piece.element;
    for (const auto& place : mesh.gauss_places_of(piece)) {
      const Section s = mesh.section_here(piece.at + place.xi * e.length);
      const auto add = [&](double strength, const ShapeRow& row) {
        if (strength != 0.0) k += place.weight * strength * row.transpose() * row;
      };
      add(s.bending_y, e.curvature_y(place.xi));
      add(s.bending_z, e.curvature_z(place.xi));
      add(s.shear_y, e.shear_y());
      add(s.shear_z, e.shear_z());
      add(s.torsion, e.twist());
      add(s.axial, e.stretch());
    }
    return k;
  });
}

}  // namespace

ElasticModel beam_model(const std::string& link, const BeamSpec& spec, const std::vector<BeamSupport>& supports) {
  const auto mesh = std::make_shared<const BeamMesh>(link, spec, supports);
  ElasticModel model;
  const MatrixX identity = MatrixX::Identity(mesh->count(), mesh->count());
  model.mass = detail::mass_matrix(mesh->points(identity, false), mesh->count());
  model.stiffness = stiffness(*mesh);
  model.names = mesh->names();
  model.field = mesh;
  return model;
}

ElasticModel beam_model(const std::string& link, const BeamSpec& spec, const std::vector<BeamSupport>& supports,
                        const BeamWays& known) {
  ElasticModel model = beam_model(link, spec, supports);
  BeamSpec all = spec;
  all.bends_along_y = spec.bends_along_y || known.bends_along_y;
  all.bends_along_z = spec.bends_along_z || known.bends_along_z;
  all.twists = spec.twists || known.twists;
  all.stretches = spec.stretches || known.stretches;
  if (all.bends_along_y == spec.bends_along_y && all.bends_along_z == spec.bends_along_z && all.twists == spec.twists &&
      all.stretches == spec.stretches)
    return model;
  const auto whole = std::make_shared<const ElasticModel>(beam_model(link, all, supports));
  model.whole = whole;
  model.in_whole.setZero(whole->mass.rows(), model.mass.rows());
  Eigen::Index next = 0;  // the coordinates of the model stand in the same order in the whole
  for (std::size_t i = 0; i < whole->names.size() && next < model.mass.rows(); ++i)
    if (whole->names[i] == model.names[next]) model.in_whole(i, next++) = 1.0;
  return model;
}

}  // namespace lithe
