// The recorded arguments of a call: shapes, types and plain values as the profiler writes them.
#pragma once

#include "harness/trace/intensity.hpp"
#include "harness/trace/trace.hpp"

namespace harness::trace {

/// "[[64, 3], [], [[2, 2], [3]]]" -> {{64, 3}, {}, {}}: a list of tensors has no shape of its own.
std::vector<Shape> parse_shapes(std::string_view json);

/// "[1, 1]" or "\"[1, 1]\"" -> {1, 1}; a single number is a list of one.
Shape parse_list(std::string_view json);

/// The elements of a JSON list of strings, without quotes: "[\"float\", \"\"]" -> {float, ""}.
std::vector<std::string_view> parse_strings(std::string_view json);

/// What the event's arguments say of its operands.
Recorded recorded(const Trace& trace, const Event& event);

}  // namespace harness::trace
