#include "harness/libtorch/kineto.hpp"

#include "harness/libtorch/answer.hpp"

#include <ATen/ATen.h>
#include <ATen/detail/CUDAHooksInterface.h>
#include <torch/csrc/autograd/profiler_kineto.h>

#include <cstdlib>
#include <filesystem>
#include <kineto/libkineto.h>
#include <set>

namespace harness::inline libtorch {
namespace {

namespace profiler = torch::autograd::profiler;

profiler::ProfilerConfig profiler_config(Recording recording) {
  torch::profiler::impl::ExperimentalConfig experimental;
  experimental.enable_cuda_sync_events = true;
  experimental.profile_all_threads = true;  // loader threads work for the measured code too
  return profiler::ProfilerConfig(torch::profiler::impl::ProfilerState::KINETO, /*report_input_shapes=*/true,
                                  /*profile_memory=*/recording == Recording::operators_and_memory,
                                  /*with_stack=*/false, /*with_flops=*/false,
                                  /*with_modules=*/false, experimental);
}

std::set<torch::profiler::impl::ActivityType> activities_on(const Device& device) {
  std::set activities = {torch::profiler::impl::ActivityType::CPU};
  if (device.is_cuda()) activities.insert(torch::profiler::impl::ActivityType::CUDA);
  return activities;
}

}  // namespace

bool profiler_attached() { return libkineto::api().isProfilerInitialized(); }

Kineto::Kineto(const Device& device, Recording recording) : device_(device), recording_(recording) {
  // Where there is no GPU, Kineto says so on stderr when it is first used, unless this is set by then.
  setenv("KINETO_LOG_LEVEL", "99", /*overwrite=*/0);  // NOLINT(concurrency-mt-unsafe): nobody else sets it
  profiler::prepareProfiler(profiler_config(recording_), activities_on(device_));
}

Kineto::~Kineto() {
  if (state_ == State::saved) return;
  if (state_ == State::ready) begin();  // what was made ready can only be ended by way of a recording
  profiler::disableProfiler();
}

void Kineto::start() {
  begin();
  state_ = State::recording;
}

void Kineto::save(const std::string& file) {
  // Kineto moves a file of its own over that one: /dev/null would be none any more.
  if (std::filesystem::exists(file) && !std::filesystem::is_regular_file(file))
    throw BadInput(file + ": is not a regular file");
  if (device_.is_cuda()) at::detail::getCUDAHooks().deviceSynchronize(torch_device(device_).index());
  state_ = State::saved;
  profiler::disableProfiler()->save(file);
}

/// No scopes named: operators, backward functions and ranges, as Python records them.
void Kineto::begin() const {
  profiler::enableProfiler(profiler_config(recording_), activities_on(device_), {});
}

}  // namespace harness::inline libtorch
