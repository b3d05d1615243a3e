#include "lithe/mechanism/elastic_gear.hpp"

#include <algorithm>
#include <cmath>

#include "lithe/mechanism/motor_law.hpp"

namespace lithe {

std::vector<Element::Switch> ElasticGear::switches() const {
  if (data_.backlash == 0.0) return {};
  return {{"touches ahead", "leaves the flank ahead"}, {"leaves the flank behind", "touches behind"}};
}

void ElasticGear::act(const ElementMotion& motion, ElementAnswer& answer) const {
  const double twist = motion.q[1] - motion.q[0], rate = motion.v[1] - motion.v[0], play = 0.5 * data_.backlash;
  const double pressed = twist > play ? twist - play : twist < -play ? twist + play : 0.0;
  double force = 0.0;
  if (play == 0.0) {
    force = data_.stiffness * twist + data_.damping * rate;
  } else if (pressed != 0.0) {
    force = data_.stiffness * pressed + data_.damping * rate;
    force = pressed > 0.0 ? std::max(force, 0.0) : std::min(force, 0.0);
  }
  const double share = gear_share(data_.efficiency, data_.ratio, force, motion.v[0]);
  answer.forces[0] = share * force;
  answer.forces[1] = -force;
  answer.values[0] = twist;
  answer.values[1] = force;
  if (play > 0.0) {
    answer.switches[0] = twist - play;
    answer.switches[1] = twist + play;
  }
  answer.stored = 0.5 * data_.stiffness * pressed * pressed;
  answer.lost = (force - data_.stiffness * pressed) * rate + (1.0 - share) * force * motion.v[0];
}

}  // namespace lithe
