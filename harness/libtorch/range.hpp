// A named part of the run, as profilers see it: the phases of a training step, a step of the schedule.
#pragma once

#include "harness/cuda/nvtx.hpp"

#include <ATen/record_function.h>

#include <string>

namespace harness::inline libtorch {

/// Open while it lives: a range of PyTorch's record_function, and an NVTX range of the same name. Without a
/// profiler it costs two tests of a flag. On one thread, ranges close in the reverse order of opening.
class Range {
 public:
  explicit Range(const std::string& name) : nvtx_(name), record_(at::RecordScope::USER_SCOPE) {
    if (record_.isActive()) record_.before(name);
  }
  Range(const Range&) = delete;
  Range& operator=(const Range&) = delete;

 private:
  NvtxRange nvtx_;
  at::RecordFunction record_;
};

}  // namespace harness::inline libtorch
