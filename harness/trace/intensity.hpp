// How many FLOP and bytes an operator needs, from its recorded shapes.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace harness::trace {

using Shape = std::vector<std::int64_t>;

/// FLOP, and the bytes that must be moved at least: each input read once, each output written once.
struct Need {
  double flop = 0;
  double bytes = 0;
  double intensity() const { return bytes > 0 ? flop / bytes : 0; }  // FLOP per byte
};

/// What the profiler recorded of one call.
struct Recorded {
  std::string_view op;                   // "aten::mm"
  std::vector<Shape> shapes;             // of the arguments, in order
  std::vector<std::string_view> types;   // "float", "c10::Half"; may be empty: 4 bytes are assumed
  std::vector<std::string_view> values;  // of the plain arguments; may be empty
};

/// True for operators that need_of knows: "aten::mm".
bool has_need(std::string_view op);

/// Products (mm, addmm, bmm, baddbmm, linear, convolutions whose stride is recorded) and pointwise operators;
/// nothing for other operators or incomplete records.
std::optional<Need> need_of(const Recorded& call);

}  // namespace harness::trace
