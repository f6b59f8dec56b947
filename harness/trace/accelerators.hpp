// Which names speak of a device: of a GPU, or of one that is none.
#pragma once

#include "harness/trace/trace.hpp"

#include <span>

namespace harness::trace {

/// Whose words for devices are right.
enum class Maker : std::uint8_t { unknown, nvidia, amd, other };

/// Told by the runtime that was called, else by the device's name.
Maker maker_of(const Trace& trace);

/// True for the name or label of a process that stands for a device: "Ascend Hardware", "NPU 0".
bool is_accelerator(std::string_view process);

/// What runs in the processes of these ids is an accelerator's work, whatever its category.
void mark_accelerators(Trace& trace, std::span<const std::string> pids);

/// The accelerator that an operator's name shows ("NPU" for "npu::npu_fusion_attention", "MPS" for
/// "aten::_mps_convolution"); empty where it shows none.
std::string_view accelerator_of(std::string_view op);

/// The device that a trace without a device's work speaks of all the same: an accelerator that an operator
/// shows, else "GPU"; empty where it speaks of none.
std::string_view named_device(const Trace& trace);

}  // namespace harness::trace
