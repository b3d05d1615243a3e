#include "ranks_module.hpp"

#include <mpi.h>

#include <list>
#include <vector>

namespace {

constexpr int tag = 1;

/// A message on its way. Nobody waits for it: two ranks that did so for each other would wait for ever.
struct Outgoing {
  std::vector<char> bytes;
  MPI_Request request = MPI_REQUEST_NULL;
};
std::list<Outgoing> outgoing;

void send(int to, const void* bytes, std::size_t count) {
  outgoing.remove_if([](Outgoing& each) {
    int is_done = 0;
    MPI_Test(&each.request, &is_done, MPI_STATUS_IGNORE);
    return is_done != 0;
  });
  Outgoing& message = outgoing.emplace_back();
  const char* const begin = static_cast<const char*>(bytes);
  if (count > 0) message.bytes.assign(begin, begin + count);
  MPI_Isend(message.bytes.data(), static_cast<int>(count), MPI_BYTE, to, tag, MPI_COMM_WORLD, &message.request);
}

long arrived(int* from) {
  int is_there = 0, count = 0;
  MPI_Status status;
  MPI_Iprobe(MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, &is_there, &status);
  if (is_there == 0) return -1;
  MPI_Get_count(&status, MPI_BYTE, &count);
  *from = status.MPI_SOURCE;
  return count;
}

void take(int from, void* bytes, std::size_t count) {
  MPI_Recv(bytes, static_cast<int>(count), MPI_BYTE, from, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

void finish() {
  for (Outgoing& each : outgoing) MPI_Wait(&each.request, MPI_STATUS_IGNORE);
  outgoing.clear();
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
}

void abort_all(int code) { MPI_Abort(MPI_COMM_WORLD, code); }

}  // namespace

LitheRanks lithe_join_ranks() {
  // Only the thread that joins ever calls MPI.
  int given = 0;
  MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &given);
  LitheRanks ranks{0, 1, send, arrived, take, finish, abort_all};
  MPI_Comm_rank(MPI_COMM_WORLD, &ranks.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks.size);
  return ranks;
}
