#include "reproduce/chain_quantities.hpp"

#include <Eigen/Cholesky>
#include <map>

#include "reproduce/case_error.hpp"

namespace lithe::reproduce {

double chain_quantity(const BeamChain& chain, const ChainState& state, const std::vector<std::string>& words) {
  static const std::map<std::string, TipTurn> turns{
      {"paper", TipTurn::paper}, {"exact", TipTurn::exact}, {"consistent", TipTurn::consistent}};
  static const std::map<std::string, std::size_t> kinds{{"inertia", 2}, {"right", 1}, {"acceleration", 1}};
  const auto refuse_name = [] {
    throw CaseError(
        "numbers of the printed recursion are called chain.TURN.inertia.I.J, chain.TURN.right.I or "
        "chain.TURN.acceleration.I, TURN being paper, exact or consistent, I and J unknowns from 1");
  };
  if (words.size() < 4 || !turns.contains(words[1]) || !kinds.contains(words[2]) ||
      words.size() != 3 + kinds.at(words[2]))
    refuse_name();
  std::vector<int> index;
  for (std::size_t k = 3; k < words.size(); ++k) {
    const bool is_number = !words[k].empty() && words[k].find_first_not_of("0123456789") == std::string::npos;
    index.push_back(is_number ? std::stoi(words[k]) - 1 : -1);
    if (index.back() < 0 || index.back() >= chain.size()) refuse_name();
  }
  PrintedRecursion<double> recursion(chain, {.turn = turns.at(words[1])});
  recursion.evaluate(state);
  if (words[2] == "inertia") return recursion.inertia(index[0], index[1]);
  if (words[2] == "right") return recursion.right[index[0]];
  return MatrixX(recursion.inertia).ldlt().solve(VectorX(recursion.right))[index[0]];
}

}  // namespace lithe::reproduce
