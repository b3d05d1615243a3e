#pragma once
// Plain data as Python pickles it: the members, in order.

#include <pybind11/eigen.h>
#include <pybind11/stl.h>

#include <string>
#include <tuple>

#include "lithe/version.hpp"

namespace lithe::python {

namespace py = pybind11;

[[noreturn]] inline void refuse_pickle(const char* what) {
  throw py::value_error(std::string("this pickle is no ") + what + " of Lithe " + std::string(version()) +
                        "; make it again with this version");
}

/// For class_::def(): pickles the given members; a base class gives its own.
template <class Whole, class... Members>
auto pickled_members(const char* what, Members... members) {
  return py::pickle([members...](const Whole& whole) { return py::make_tuple(whole.*members...); },
                    [members..., what](const py::tuple& state) {
                      if (state.size() != sizeof...(Members)) refuse_pickle(what);
                      Whole whole{};
                      std::size_t k = 0;
                      const auto take = [&](auto member) {
                        whole.*member = state[k++].template cast<std::decay_t<decltype(whole.*member)>>();
                      };
                      (take(members), ...);
                      return whole;
                    });
}

}  // namespace lithe::python
