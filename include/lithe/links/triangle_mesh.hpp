#pragma once
// Surfaces of triangles: what links look like in pictures, and bodies whose mass is that of what the surface encloses.

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "lithe/spatial/pose.hpp"

namespace lithe {

struct TriangleMesh {
  std::vector<Vec3> points;                   ///< m
  std::vector<std::array<int, 3>> triangles;  ///< counter-clockwise seen from outside
};

/// What a link looks like, in its axes. It moves and bends with the link; the mass has nothing to do with it.
struct Visual {
  std::string link;            ///< or "ground"
  std::string source;          ///< name of the file or shape, for messages
  TriangleMesh mesh;           ///< link axes, undeformed
  std::optional<Vec3> colour;  ///< red, green, blue from 0 to 1 (sRGB); nothing: that of links
  std::size_t given = 0;       ///< triangles before the mesh was made coarser
  bool replaces = true;  ///< the drawing that the link would have without it; false: stands beside its other bodies
};

/// Points nearer to each other than `tolerance` (m) become one; triangles without area are gone, unused points too.
TriangleMesh welded(const TriangleMesh& mesh, double tolerance);

/// The same with one point per cell of a grid of this width (m), in the middle of those that it replaces.
TriangleMesh clustered(const TriangleMesh& mesh, double cell);

/// Largest edge of the box around the points, m.
double extent_of(const TriangleMesh& mesh);

/// Edges that keep a surface from enclosing a body.
struct MeshGaps {
  int open = 0;    ///< edges of one triangle only, or of an odd number
  int turned = 0;  ///< edges whose two triangles face opposite ways
};
MeshGaps gaps_of(const TriangleMesh& mesh);

/// Volume (m^3), its centre, and its second moments as an inertia about the centre per unit of density (m^5). The mesh
/// must have no gaps; one that faces inwards counts as well.
struct EnclosedVolume {
  double volume = 0.0;
  Vec3 centre = Vec3::Zero();
  Mat3 inertia = Mat3::Zero();
};
EnclosedVolume enclosed_volume(const TriangleMesh& mesh);

/// x -> rotation (scale x) + position; negative scales turn the triangles round, so that they face outwards still.
TriangleMesh placed(TriangleMesh mesh, const Vec3& scale, const Pose& pose);

/// About the origin; cylinders along z.
TriangleMesh box_mesh(const Vec3& edges);
TriangleMesh cylinder_mesh(double radius, double length, int sides = 32);
TriangleMesh sphere_mesh(double radius, int around = 32, int rings = 16);

}  // namespace lithe
