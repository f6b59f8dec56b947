// How much of what happens in a trace a run would be shorter without.
#pragma once

#include "harness/trace/nesting.hpp"
#include "harness/trace/trace.hpp"

#include <cstdint>

namespace harness::predict {

/// Shares from 0 to 1 of the work of each sort that nothing longer covers.
struct Exposure {
  std::uint32_t main_track = 0;  // the thread that the runs are on
  double main = 1;               // work of that thread: where a device works, only while it stands idle
  double others = 0;             // of other threads: while the main one is in no operator, and once for all
  double copies = 1;             // by the device: while it does not compute
  double exchanges = 1;  // between ranks: while the main thread is in no operator, or no kernel computes
  double kernel_us = 0;  // in which the device computes
  bool device = false;   // the trace holds a device's work

  /// Of host work on that thread.
  double of(std::uint32_t track) const { return track == main_track ? main : others; }
};

Exposure exposure_of(const trace::Trace& trace, const trace::Nesting& nesting);

}  // namespace harness::predict
