// What LibTorch's operators are, as far as counting them needs to know. Names without "aten::".
#pragma once

#include "harness/trace/intensity.hpp"
#include "harness/trace/trace.hpp"

#include <string>
#include <string_view>

namespace harness::predict {

/// "aten::mul" -> "mul"; "" for what is no operator of LibTorch's.
std::string_view operator_name(const trace::Trace& trace, const trace::Event& event);

bool is_view(std::string_view name);     // touches no number
bool is_empty(std::string_view name);    // allocates, and does nothing else
bool is_gather(std::string_view name);   // reads some rows, and shapes do not say which
bool is_product(std::string_view name);  // of matrices, or a convolution

/// The row of the price list that stands for its call: "add", "sum", "cat", "index", "copy", "mm", "empty";
/// "" where none does.
std::string_view sort_of(std::string_view name);

/// "fp32", "bf16", "fp16", else as the trace has it: of the first input.
std::string number_type(const trace::Recorded& call);

/// What an operator reads at least: each input once. 4 bytes where the type is not known.
double bytes_read(const trace::Recorded& call);

}  // namespace harness::predict
