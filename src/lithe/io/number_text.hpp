#pragma once
// Numbers as text, fast: millions of them stand in the rows of a run.

namespace lithe::io {

/// Bytes that one number may take.
inline constexpr int longest_number = 32;

/// Writes `value` with the fewest digits that read back as the same double, exactly as fmt's "{}" does, and returns the
/// end of the text. `to` must have room for longest_number bytes; bytes behind the end may be overwritten.
char* write_number(char* to, double value);

}  // namespace lithe::io
