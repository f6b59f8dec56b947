#include "harness/worker/worker.hpp"

#include "harness/cuda/device.hpp"
#include "harness/record/field.hpp"
#include "harness/worker/event.hpp"
#include "harness/worker/measure_row.hpp"

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <iostream>
#include <iterator>
#include <sys/prctl.h>
#include <system_error>
#include <unistd.h>

namespace harness {
namespace {

constexpr int event_fd = 3;

void emit(const WorkerEvent& event) {
  const auto line = event_to_json(event);
  std::string_view rest = line;
  while (!rest.empty()) {
    const auto n = ::write(event_fd, rest.data(), rest.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) throw std::system_error(errno, std::generic_category(), "descriptor 3");
    rest.remove_prefix(static_cast<std::size_t>(n));
  }
}

/// No worker outlives its parent, however that ends.
void die_with_parent(int parent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) std::_Exit(1);  // it ended before the line above
}

/// After a sticky CUDA error (an illegal address) every later call fails too; only a new process helps.
bool device_is_lost(const Device& device) {
  return device.is_cuda() && cudaDeviceSynchronize() != cudaSuccess;
}

void measure_all(const Job& job, Steps steps) {
  const auto begin = std::chrono::steady_clock::now();
  const auto out_of_time = [&] {
    const std::chrono::duration<double> used = std::chrono::steady_clock::now() - begin;
    return job.budget_seconds && used.count() >= *job.budget_seconds;
  };
  Bench bench(job);
  for (const auto& name : job.rows) {
    if (out_of_time()) break;
    emit(RowBegun{name});
    const auto found = find_row(steps, name, job.device.index);
    const auto progress = [&](int done, int of) { emit(UnitTaken{name, done, of}); };
    const auto row = measure_row(found, bench, job, {progress, out_of_time});
    emit(RowEnded{row});
    if (row.judged.verdict == Verdict::failed && device_is_lost(found.device)) break;
    bench.torch.release_memory();
  }
  emit(WorkerEnded{});
}

}  // namespace

int measure_mode(Steps steps) {
  // What a step starts must not hold the pipe open, nor write to it.
  if (fcntl(event_fd, F_SETFD, FD_CLOEXEC) != 0) {
    std::fputs("tuneproof-worker: started by tuneproof, not by hand\n", stderr);
    return 1;
  }
  try {
    const std::string text{std::istreambuf_iterator<char>(std::cin), {}};
    const auto job = job_from_json(text);
    die_with_parent(job.parent);
    measure_all(job, steps);
    // Neither LibTorch's threads nor CUDA's teardown may spoil what has been reported.
    std::fflush(nullptr);
    std::_Exit(0);
  } catch (const BadInput& error) {
    emit(InputRejected{error.what()});
  } catch (const std::exception& error) {
    std::fprintf(stderr, "tuneproof-worker: %s\n", error.what());
  }
  return 1;
}

int probe_mode(const Device& device, const BuildInfo& build) {
  const auto facts = probe_device(device.index, std::string(build.cuda_architectures));
  Json json;
  json["cuda"] = {{"status", facts.status}, {"message", facts.message}};
  json["devices"] = facts.count;
  json["gpu"] = nullptr;
  if (!facts.name.empty())
    json["gpu"] = {{"name", facts.name},
                   {"compute_capability", facts.compute_capability},
                   {"multiprocessors", facts.multiprocessors},
                   {"copy_engines", facts.copy_engines},
                   {"memory_bytes", facts.memory_bytes}};
  json["cuda_driver"] = facts.driver_api.empty() ? Json(nullptr) : Json(facts.driver_api);
  json["cuda_runtime"] = facts.runtime;
  json["libtorch"] = torch_version();
  json["cpu_capability"] = torch_cpu_capability();
  return std::puts(json.dump().c_str()) < 0 ? 1 : 0;
}

}  // namespace harness
