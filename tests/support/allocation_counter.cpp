#include "support/allocation_counter.hpp"

#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdlib>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define LITHE_OWN_ALLOCATOR 0
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define LITHE_OWN_ALLOCATOR 0
#endif
#endif
#if !defined(LITHE_OWN_ALLOCATOR)
#if defined(__GLIBC__)
#define LITHE_OWN_ALLOCATOR 1
#else
#define LITHE_OWN_ALLOCATOR 0
#endif
#endif

namespace {
std::atomic<long> count{0};
}

namespace lithe::testing {
bool allocations_are_counted() { return LITHE_OWN_ALLOCATOR != 0; }
long allocation_count() { return count.load(std::memory_order_relaxed); }
}  // namespace lithe::testing

#if LITHE_OWN_ALLOCATOR
// A program may define malloc and its family itself; glibc then uses these everywhere and keeps its own under the
// __libc names. operator new ends in malloc, so it is counted too.
extern "C" {
void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t items, std::size_t size);
void* __libc_realloc(void* block, std::size_t size);
void* __libc_memalign(std::size_t alignment, std::size_t size);
void __libc_free(void* block);

void* malloc(std::size_t size) {
  count.fetch_add(1, std::memory_order_relaxed);
  return __libc_malloc(size);
}
void* calloc(std::size_t items, std::size_t size) {
  count.fetch_add(1, std::memory_order_relaxed);
  return __libc_calloc(items, size);
}
void* realloc(void* block, std::size_t size) {
  count.fetch_add(1, std::memory_order_relaxed);
  return __libc_realloc(block, size);
}
void* memalign(std::size_t alignment, std::size_t size) {
  count.fetch_add(1, std::memory_order_relaxed);
  return __libc_memalign(alignment, size);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) { return memalign(alignment, size); }
int posix_memalign(void** block, std::size_t alignment, std::size_t size) {
  *block = memalign(alignment, size);
  return *block == nullptr ? ENOMEM : 0;
}
void free(void* block) { __libc_free(block); }
}
#endif
