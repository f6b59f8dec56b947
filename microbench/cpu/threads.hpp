// LibTorch's threads: how many there are, and on which CPUs they run. Both are settings of the whole process:
// changed for a slot, put back when the owner goes.
#pragma once

#include "harness/core/setup.hpp"
#include "harness/machine/host.hpp"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <ATen/TensorIterator.h>

#include <atomic>
#include <cerrno>
#include <sched.h>
#include <system_error>

namespace microbench {

/// The CPUs that this process may use, as many as LibTorch takes by default or more. Throws Skip below two.
inline int several_cpus() {
  const int cpus = harness::read_host().cpus_allowed;
  if (cpus < 2) throw harness::Skip("needs two CPUs, this process may use one");
  return cpus;
}

/// Sets how many threads LibTorch works with. Not to be called where time is taken: the threads are made
/// anew.
class ThreadCount {
 public:
  ThreadCount() : before_(at::get_num_threads()) {}
  ThreadCount(const ThreadCount&) = delete;
  ThreadCount& operator=(const ThreadCount&) = delete;
  ~ThreadCount() { set(before_); }
  void set(int threads) {
    if (threads != at::get_num_threads()) at::set_num_threads(threads);
  }

 private:
  int before_;
};

/// The CPUs that the calling thread may run on.
inline cpu_set_t affinity() {
  cpu_set_t mask;
  CPU_ZERO(&mask);
  if (sched_getaffinity(0, sizeof mask, &mask) != 0)
    throw std::system_error(errno, std::generic_category(), "asking for the CPUs of a thread");
  return mask;
}

inline std::vector<int> cpus_in(const cpu_set_t& mask) {
  std::vector<int> cpus;
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu)
    if (CPU_ISSET(cpu, &mask)) cpus.push_back(cpu);
  return cpus;
}

/// Ties each of LibTorch's threads to a CPU of its own, or lets all of them go where the caller may.
class Binding {
 public:
  Binding() : before_(affinity()), cpus_(cpus_in(before_)) {}
  Binding(const Binding&) = delete;
  Binding& operator=(const Binding&) = delete;
  ~Binding() {
    on_each_thread([this](std::int32_t) { return before_; });
  }

  /// False where the system did not let every thread be moved.
  bool tie() {
    return on_each_thread([this](std::int32_t number) {
      cpu_set_t own;
      CPU_ZERO(&own);
      CPU_SET(cpus_[static_cast<std::size_t>(number) % cpus_.size()], &own);
      return own;
    });
  }
  bool let_go() {
    return on_each_thread([this](std::int32_t) { return before_; });
  }

 private:
  /// An element for each thread, and no fewer to a thread: what is done to an element is done on its thread.
  /// LibTorch's own loop starts it, since its threads are those of the OpenMP that it was built with.
  template <class MaskOf>
  static bool on_each_thread(const MaskOf& mask_of) {
    std::atomic<bool> moved = true;
    const auto numbers = at::arange(at::get_num_threads(), at::TensorOptions().dtype(at::kInt));
    auto elements = at::TensorIterator::borrowing_nullary_op(numbers);
    elements.for_each(
        [&](char** data, const std::int64_t* strides, std::int64_t n, std::int64_t /*rows: one*/) {
          for (std::int64_t i = 0; i < n; ++i) {
            const auto number = *reinterpret_cast<const std::int32_t*>(data[0] + i * strides[0]);
            const cpu_set_t mask = mask_of(number);
            if (sched_setaffinity(0, sizeof mask, &mask) != 0) moved = false;
          }
        },
        /*grain_size=*/1);
    return moved;
  }

  cpu_set_t before_;
  std::vector<int> cpus_;
};

}  // namespace microbench
