#include "lithe/matrices/compiled_once.hpp"

#define LITHE_INSTANTIATION template
#include "lithe/matrices/compiled_once.inc"
