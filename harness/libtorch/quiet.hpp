// LibTorch's notices that tell a user nothing.
#pragma once

#include <c10/util/Logging.h>

#include <utility>

namespace harness::inline libtorch {

/// While it lives, LibTorch prints errors only. Whoever listens to its allocator would else read now and then
/// of blocks that are older than the listening. A setting of the whole process.
class Quiet {
 public:
  Quiet() : before_(std::exchange(FLAGS_caffe2_log_level, errors)) {}
  Quiet(const Quiet&) = delete;
  Quiet& operator=(const Quiet&) = delete;
  ~Quiet() { FLAGS_caffe2_log_level = before_; }

 private:
  static constexpr int errors = 2;
  int before_;
};

}  // namespace harness::inline libtorch
