#pragma once
// Counts heap allocations of the whole process by standing in for the allocator of glibc (new, Eigen and C alike).

namespace lithe::testing {

/// False under sanitizers, which bring their own allocator; counts are then always zero.
bool allocations_are_counted();

/// Number of malloc, calloc, realloc and aligned allocations since the process started, all threads.
long allocation_count();

}  // namespace lithe::testing
