#include "reproduce/operation_counts.hpp"

#include <map>

#include "reproduce/case_error.hpp"

namespace lithe::reproduce {
namespace {

/// A polynomial of the source in n links, f of which bend in m shapes each; its halves add up to whole numbers.
struct Terms {
  double n2 = 0, n = 0, one = 0, mf2 = 0, mf = 0, m = 0, m2f2 = 0, m2f = 0, m2 = 0, nf = 0, f = 0, nfm = 0;

  long at(const ChainSize& size) const {
    const double N = size.links, F = size.bending, M = size.shapes;
    const double sum = n2 * N * N + n * N + one + mf2 * M * F * F + mf * M * F + m * M + m2f2 * M * M * F * F +
                       m2f * M * M * F + m2 * M * M + nf * N * F + f * F + nfm * N * F * M;
    return std::lround(sum);
  }
};

OperationCount counted_since(const OperationCount& before) {
  const OperationCount& now = Counted::tally();
  return {now.products - before.products, now.sums - before.sums};
}

/// Any state does: nothing depends on the values.
ChainState some_state(const BeamChain& chain) {
  const int n = chain.size();
  return {VectorX::Constant(n, 0.1), VectorX::Constant(n, 0.2), VectorX::Ones(std::ssize(chain.links))};
}

}  // namespace

StepCounts printed_steps(const ChainSize& size) {
  const std::array<std::pair<Terms, Terms>, PrintedRecursion<double>::step_count> table{{
      {{.n = 15, .one = -15}, {.n = 6, .one = -6}},
      {{.n = 60, .one = -60}, {.n = 55, .one = -55}},
      {{.n = 66, .one = -27}, {.n = 54, .one = -21}},
      {{.n = 24, .one = -24}, {.n = 24, .one = -24}},
      {{.mf = 21}, {.mf = 17}},
      {{.mf = 15, .m = -15}, {.n = 1, .mf = 13, .m = -12}},
      {{.n2 = 13.5, .n = -40.5, .one = 27}, {.n2 = 9, .n = -27, .one = 18}},
      {{.n2 = 4.5, .n = -13.5, .one = 9}, {.n2 = 4.5, .n = -13.5, .one = 9}},
      {{.n2 = 457.5, .n = -901.5, .one = 390}, {.n2 = 328.5, .n = -652.5, .one = 276}},
      {{.mf2 = 30, .mf = -30, .m2f2 = 42, .m2f = -60, .m2 = 18},
       {.n2 = 9, .one = -9, .mf2 = 52.5, .mf = -79.5, .m = 18, .m2f2 = 53.5, .m2f = -89.5, .m2 = 18}},
  }};
  StepCounts counts;
  for (std::size_t k = 0; k < table.size(); ++k) counts[k] = {table[k].first.at(size), table[k].second.at(size)};
  return counts;
}

OperationCount printed_total(const ChainSize& size) {
  const Terms products{
      .n2 = 475.5, .n = -790.5, .one = 300, .mf2 = 30, .mf = 6, .m = -15, .m2f2 = 42, .m2f = -60, .m2 = 18};
  const Terms sums{
      .n2 = 351, .n = -553, .one = 188, .mf2 = 52.5, .mf = -49.5, .m = 6, .m2f2 = 53.5, .m2f = -89.5, .m2 = 18};
  return {products.at(size), sums.at(size)};
}

OperationCount printed_lagrange(const ChainSize& size) {
  const Terms products{
      .n2 = 84, .n = 279, .one = -57, .mf2 = 118, .mf = 137.5, .m2f2 = 6, .m2f = 17.5, .nf = 86, .f = 126, .nfm = 74};
  const Terms sums{
      .n2 = 85, .n = 329, .one = -91, .mf2 = 115.5, .mf = 123, .m2f2 = 6.5, .m2f = 19, .nf = 80, .f = 111, .nfm = 68};
  return {products.at(size), sums.at(size)};
}

StepCounts measured_steps(const ChainSize& size) {
  const BeamChain chain = uniform_chain(size.links, size.bending, size.shapes);
  PrintedRecursion<Counted> recursion(chain, {.turn = TipTurn::paper});
  recursion.prepare(some_state(chain));
  StepCounts counts;
  for (int k = 0; k < recursion.step_count; ++k) {
    const OperationCount before = Counted::tally();
    (recursion.*recursion.steps[k])();
    counts[k] = counted_since(before);
  }
  return counts;
}

OperationCount measured_sums_over_shapes(const ChainSize& size) {
  const BeamChain chain = uniform_chain(size.links, size.bending, size.shapes);
  PrintedRecursion<Counted> recursion(chain, {.turn = TipTurn::paper});
  const OperationCount before = Counted::tally();
  recursion.prepare(some_state(chain));
  return counted_since(before);
}

OperationCount total(const StepCounts& steps) {
  OperationCount sum;
  for (const OperationCount& each : steps) {
    sum.products += each.products;
    sum.sums += each.sums;
  }
  return sum;
}

double operation_quantity(const std::vector<std::string>& words) {
  static const std::map<std::string, OperationCount (*)(const ChainSize&)> methods{
      {"printed", printed_total},
      {"lagrange", printed_lagrange},
      {"steps", [](const ChainSize& size) { return total(printed_steps(size)); }},
      {"measured", [](const ChainSize& size) { return total(measured_steps(size)); }},
      {"shapes", measured_sums_over_shapes}};
  const auto refuse = [] {
    throw CaseError("operation counts are called operations.METHOD.products.LINKS.BENDING.SHAPES, or .sums");
  };
  if (words.size() != 6 || !methods.contains(words[1]) || (words[2] != "products" && words[2] != "sums")) refuse();
  ChainSize size;
  try {
    size = {std::stoi(words[3]), std::stoi(words[4]), std::stoi(words[5])};
  } catch (const std::exception&) {
    refuse();
  }
  if (size.links < 1 || size.bending < 0 || size.bending > size.links || size.shapes < 0) refuse();
  const OperationCount count = methods.at(words[1])(size);
  return static_cast<double>(words[2] == "products" ? count.products : count.sums);
}

}  // namespace lithe::reproduce
