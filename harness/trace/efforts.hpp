// How many FLOP and bytes an operator needs, from its recorded shapes; what the device made of the operators
// whose need is known, FLOP/s and bytes/s that were reached; and its peaks (harness/machine/device_model.hpp)
// by the arithmetic that a kernel does.
#pragma once

#include "harness/machine/device_model.hpp"
#include "harness/trace/trace.hpp"

#include <span>

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

/// The arithmetic that a matrix product is done in.
enum class Arithmetic : std::uint8_t { fp32, tf32, fp16, bf16, fp64, unknown };

/// The peaks of that device, from the file if one is named; null where none are known. Throws BadInput where
/// the file has no peaks of it.
std::shared_ptr<const DeviceModel> peaks_of(const DeviceProperties& device, const std::string& file = {});

/// Peak in FLOP/s; 0 where the device has no such unit or its sheet does not say.
double peak_flops(const DeviceModel& model, Arithmetic arithmetic);

/// Below this memory bounds every GPU's FP32 and narrower types, known or not: the least balance of gpus.json
/// is 6.1 FLOP per byte (Tesla C1060).
inline constexpr double least_balance = 4;

/// FLOP per byte at which arithmetic and memory take equally long.
double balance(const DeviceModel& model, Arithmetic arithmetic);

std::string_view to_string(Arithmetic arithmetic);

/// True if operators carry their shapes. (The file's own flag is missing in older traces.)
bool has_shapes(const Trace& trace);

/// One operator whose need is known, and the device time it was given.
struct Effort {
  EventId op = no_event;
  Need need = {};
  double device_us = 0;
  Arithmetic arithmetic = Arithmetic::unknown;  // by the kernels that ran
};

/// The efforts of a trace, and per event of the device which of them it belongs to (-1: none).
struct Efforts {
  std::vector<Effort> calls;
  std::vector<std::int32_t> of_event;
};
Efforts efforts(const Trace& trace);

/// Efforts of one operator added up.
struct EffortRow {
  std::string op;
  std::int64_t calls = 0;
  Need need = {};
  double device_us = 0;
  Arithmetic arithmetic = Arithmetic::unknown;  // of the longest call
  /// The time at the device's peaks: of arithmetic and of memory alone, and the larger of both for each call.
  /// 0 without a model.
  double arithmetic_us = 0;
  double memory_us = 0;
  double roof_us = 0;
  double gflops() const { return device_us > 0 ? need.flop / device_us / 1e3 : 0; }
  double gb_s() const { return device_us > 0 ? need.bytes / device_us / 1e3 : 0; }
};

/// By falling device time. `inside` restricts them to operators inside; empty: all.
std::vector<EffortRow> effort_rows(const Trace& trace, std::span<const Effort> calls,
                                   const std::vector<bool>& inside = {}, const DeviceModel* model = nullptr);

}  // namespace harness::trace
