#pragma once
// Memory that others keep in a kernel: one object per type, made on first use. So a formulation brings its own
// memory, and the kernel need not know it.

#include <atomic>
#include <memory>
#include <vector>

namespace lithe::detail {

class KernelMemory {
 public:
  KernelMemory() = default;
  KernelMemory(KernelMemory&&) = default;
  KernelMemory& operator=(KernelMemory&&) = default;

  /// The object of type T; the first call makes it from the kernel.
  template <class T, class Kernel>
  T& of(const Kernel& kernel) {
    const std::size_t place = place_of<T>();
    if (place < objects_.size() && objects_[place]) return *static_cast<T*>(objects_[place].get());
    return make<T>(place, kernel);
  }

 private:
  template <class T, class Kernel>
  [[gnu::noinline]] T& make(std::size_t place, const Kernel& kernel) {
    if (place >= objects_.size()) objects_.resize(place + 1);
    objects_[place] = std::make_shared<T>(kernel);
    return *static_cast<T*>(objects_[place].get());
  }

  /// A number per type, given out when the type is first asked for.
  template <class T>
  static std::size_t place_of() {
    static const std::size_t place = next_place_++;
    return place;
  }

  static inline std::atomic<std::size_t> next_place_{0};
  std::vector<std::shared_ptr<void>> objects_;  ///< never shared: these pointers know how to delete what they hold
};

}  // namespace lithe::detail
