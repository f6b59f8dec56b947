#include "microbench/format/plan_thread.hpp"

#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>

#include <utility>

namespace microbench {

PlanThread::PlanThread(const harness::Stream& stream, int device)
    : thread_([this, &stream, device] { serve(stream, device); }) {}

PlanThread::~PlanThread() {
  {
    const std::lock_guard lock(mutex_);
    over_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void PlanThread::run(const std::function<void()>& work) {
  std::unique_lock lock(mutex_);
  work_ = &work;
  changed_.notify_all();
  changed_.wait(lock, [this] { return work_ == nullptr; });
  if (const auto thrown = std::exchange(thrown_, nullptr)) std::rethrow_exception(thrown);
}

void PlanThread::serve(const harness::Stream& stream, int device) {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [this] { return over_ || work_ != nullptr; });
    if (work_ == nullptr) return;
    try {
      // Device and current stream are each thread's own. Set here, so that a failure reaches the caller.
      const c10::cuda::CUDAStreamGuard guard(
          c10::cuda::getStreamFromExternal(stream.get(), static_cast<c10::DeviceIndex>(device)));
      (*work_)();
    } catch (...) {
      thrown_ = std::current_exception();
    }
    work_ = nullptr;
    changed_.notify_all();
  }
}

}  // namespace microbench
