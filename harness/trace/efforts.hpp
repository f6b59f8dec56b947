// What the device made of the operators whose need is known: FLOP/s and bytes/s that were reached.
#pragma once

#include "harness/trace/device_peaks.hpp"
#include "harness/trace/intensity.hpp"
#include "harness/trace/nesting.hpp"
#include "harness/trace/trace.hpp"

#include <span>

namespace harness::trace {

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
Efforts efforts(const Trace& trace, const Nesting& nesting);

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
