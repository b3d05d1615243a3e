#pragma once
// Values of chosen columns of results at any state: what conditions of events are made of.

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "lithe/simulation/recorder.hpp"

namespace lithe::detail {

class QuantityProbe {
 public:
  /// Throws MechanismError for a quantity that there is not.
  QuantityProbe(const Model& model, const Plan& plan, Workspace& work, const std::vector<std::string>& quantities);

  /// Time and the values of the quantities, in the order in which they were asked for.
  std::span<const double> values(const State& state, const VectorX& a, const Actions& actions, const VectorX* held);

  /// Every column that could be asked for.
  static std::vector<std::string> known(const Model& model, const Plan& plan, Workspace& work);

 private:
  class LastRow : public RecordSink {
   public:
    void begin(const Model&, const std::vector<std::string>& names) override { columns = names; }
    void row(std::span<const double> values) override { last.assign(values.begin(), values.end()); }
    void finish(const Audit&, const std::string&) override {}
    std::vector<std::string> columns;
    std::vector<double> last;
  };

  std::unique_ptr<Model> model_;  ///< with what is recorded for the probe alone
  LastRow row_;
  std::unique_ptr<Recorder> recorder_;
  std::vector<std::size_t> places_;  ///< of time and the quantities in the row
  std::vector<double> values_;
};

}  // namespace lithe::detail
