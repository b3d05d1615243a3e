#pragma once
// What the module with MPI in it offers the program, which loads it only when mpirun has started it: a program that runs
// alone neither links MPI nor pays for its libraries.

#include <cstddef>

extern "C" {

struct LitheRanks {
  int rank, size;
  /// Sends bytes to a rank; they may be changed when it returns.
  void (*send)(int to, const void* bytes, std::size_t count);
  /// The size of a message that has arrived and who sent it; -1: there is none. Does not wait.
  long (*arrived)(int* from);
  /// Takes that message.
  void (*take)(int from, void* bytes, std::size_t count);
  void (*finish)();         ///< waits for all ranks
  void (*abort)(int code);  ///< ends all ranks
};

/// Joins the others; the only symbol that is looked up.
LitheRanks lithe_join_ranks();
}
