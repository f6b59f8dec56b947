// LibTorch keeps one plan for each convolution it has met, per thread, whether cuDNN chose it by rule or by
// trial: in one thread the first form to run would choose for both. Here each form has a thread of its own.
#pragma once

#include "harness/cuda/stream.hpp"

#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>

namespace microbench {

/// A thread that begins without plans and queues its work on the given stream of a CUDA device.
class PlanThread {
 public:
  PlanThread(const harness::Stream& stream, int device);
  PlanThread(const PlanThread&) = delete;
  PlanThread& operator=(const PlanThread&) = delete;
  ~PlanThread();

  /// Runs the work there and waits until it has returned, not until the device has finished. Throws what
  /// the work throws.
  void run(const std::function<void()>& work);

 private:
  void serve(const harness::Stream& stream, int device);

  std::mutex mutex_;
  std::condition_variable changed_;
  const std::function<void()>* work_ = nullptr;  // while it is to be run
  std::exception_ptr thrown_;
  bool over_ = false;
  std::thread thread_;
};

}  // namespace microbench
