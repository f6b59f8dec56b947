// A made-up run, told as what the host does: the trace that a profiler would have recorded of it.
#pragma once

#include "tests/harness/trace/made_up.hpp"

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

namespace tests {

/// One host thread and one stream. All times in microseconds; a call that launches takes `launch_us`.
class Story {
 public:
  static constexpr double launch_us = 5;

  double host = 0;    // the host's clock
  double device = 0;  // when the device will have finished all that was launched

  /// Python that is not recorded.
  void pause(double us) { host += us; }

  /// The data loader, in this process.
  void load(double us) {
    events_.push_back(range("enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__", host, us));
    host += us;
  }

  /// Kernels of one name, launched one after the other.
  void kernels(const std::string& name, int count, double us, const std::string& more = "") {
    for (int i = 0; i < count; ++i) work("kernel", name, us, more);
  }

  /// Kernels that were launched before the recording began, or whose launches nobody recorded.
  void unlaunched(const std::string& name, int count, double us) {
    for (int i = 0; i < count; ++i) {
      events_.push_back(on_stream("kernel", name, device, us, ++correlation_));
      device += us;
    }
  }

  /// One operator with its recorded shapes around one kernel.
  void op(const std::string& name, const std::string& shapes, const std::string& kernel, double us) {
    const auto begin = host;
    const auto at = events_.size();
    work("kernel", kernel, us);
    events_.insert(events_.begin() + static_cast<std::ptrdiff_t>(at),
                   Made{"cpu_op", name, begin - 1, host - begin + 2,
                        R"("Input Dims": )" + shapes + R"(, "Input type": ["float", "float", "float"])"});
    host += 2;
  }

  /// An operator around what `body` does.
  void within(const std::string& name, const std::string& args, const std::function<void()>& body) {
    const auto begin = host;
    body();
    host += 1;
    events_.push_back(Made{"cpu_op", name, begin, host - begin, args});
  }

  /// One kernel whose launch returns when the kernel has ended.
  void blocking_kernel(const std::string& name, double us) {
    events_.push_back(tests::call("cudaLaunchKernel", host, us + 4, ++correlation_));
    events_.push_back(on_stream("kernel", name, host + 2, us, correlation_));
    device = host + 2 + us;
    host += us + 4;
  }

  /// A copy; the host goes on at once.
  void copy(const std::string& kind, double bytes, double us) {
    work("gpu_memcpy", "Memcpy " + kind, us, R"(, "bytes": )" + std::to_string(static_cast<long>(bytes)),
         "cudaMemcpyAsync");
  }

  /// A call of the runtime that asks for no work.
  void call(const std::string& name, double us) {
    events_.push_back(tests::call(name, host, us, ++correlation_));
    host += us;
  }

  /// The host waits until the device is done, inside an operator of that name ("" for none).
  void synchronize(const std::string& op_name = "") {
    const auto end = std::max(host, device) + 1;
    if (!op_name.empty()) events_.push_back(tests::op(op_name, host - 1, end - host + 2));
    events_.push_back(tests::call("cudaStreamSynchronize", host, end - host, ++correlation_));
    host = end + 1;
  }

  /// A range around what `body` does.
  void named(const std::string& name, const std::function<void()>& body) {
    const auto begin = host;
    body();
    events_.push_back(range(name, begin, host - begin));
  }

  /// A Python function around what `body` does.
  void function(const std::string& name, const std::function<void()>& body) {
    const auto begin = host;
    body();
    events_.push_back(Made{"python_function", name, begin, host - begin});
  }

  /// One call that launches that many kernels of a graph.
  void graph(const std::string& name, int count, double us) {
    events_.push_back(tests::call("cudaGraphLaunch", host, launch_us, ++correlation_));
    host += launch_us;
    device = std::max(device, host + 1);
    for (int i = 0; i < count; ++i, device += us)
      events_.push_back(on_stream("kernel", name, device, us, correlation_));
  }

  /// ProfilerStep#N, counted from 1.
  void step(const std::function<void()>& body) {
    named("ProfilerStep#" + std::to_string(++steps_), body);
    host += 1;
  }

  std::string text(const std::string& device_name = "NVIDIA A100-SXM4-40GB") const {
    std::string all;
    for (const auto& made : events_) all += (all.empty() ? "" : ",\n") + json(made);
    return R"({"distributedInfo": {"rank": )" + std::to_string(rank) +
           R"(, "world_size": 2}, "deviceProperties": [{"id": 0, "name": ")" + device_name +
           R"(", "totalGlobalMem": 42505273344, "computeMajor": )" + std::to_string(compute_major) +
           R"(, "numSms": 108}], "traceEvents": [)" + all + "]}";
  }

  harness::trace::Trace trace(const std::string& device_name = "NVIDIA A100-SXM4-40GB") const {
    return harness::trace::parse_trace(text(device_name), "story.json");
  }

  int rank = 0;
  int compute_major = 8;

 private:
  void work(const std::string& category, const std::string& name, double us, const std::string& more = "",
            const std::string& by = "cudaLaunchKernel") {
    events_.push_back(tests::call(by, host, launch_us, ++correlation_));
    host += launch_us;
    const auto begin = std::max(device, host + 1);
    auto made = on_stream(category, name, begin, us, correlation_);
    made.args += more;
    events_.push_back(made);
    device = begin + us;
  }

  std::vector<Made> events_;
  int correlation_ = 0;
  int steps_ = 0;
};

inline constexpr auto gemm = "ampere_sgemm_128x64_nn";
inline constexpr auto pointwise =
    "void at::native::vectorized_elementwise_kernel<4, at::native::AddFunctor<float>>";

}  // namespace tests
