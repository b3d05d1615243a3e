#pragma once
// How HDF5 writes: through a driver of our own. The library crashes when its own drivers meet a full disk (1.10:
// closing the file fails, and the library ends the program while it cleans up). This one never tells it: a failed write
// is remembered, everything after it is ignored, and whoever writes results looks at the fault and gives the file up.

#include <hdf5.h>

namespace lithe::detail {

/// What HDF5 writes to; must live until the file is closed.
struct WriteTarget {
  int descriptor = -1;  ///< open for reading and writing; stays open when HDF5 closes the file
  int fault = 0;        ///< errno of the first write that failed; 0: all is well
};

/// File access properties that write to `target`.
hid_t access_through(WriteTarget& target);

}  // namespace lithe::detail
