// What the leak sanitizer finds in libraries and nobody here can free: HDF5 1.10.8 keeps 56 bytes of every file that it fails to open.

extern "C" const char* __lsan_default_suppressions();  // the sanitizer's own name
extern "C" const char* __lsan_default_suppressions() { return "leak:libhdf5_serial\n"; }
