#include "harness/libtorch/kineto.hpp"

#include "harness/libtorch/answer.hpp"
#include "harness/support/scratch_folder.hpp"

#include <ATen/ATen.h>
#include <nlohmann/json.hpp>
#include <torch/csrc/autograd/profiler_kineto.h>
#include <torch/cuda.h>

#include <fstream>
#include <kineto/libkineto.h>
#include <set>

namespace harness::inline libtorch {
namespace {

namespace profiler = torch::autograd::profiler;

profiler::ProfilerConfig profiler_config() {
  torch::profiler::impl::ExperimentalConfig experimental;
  experimental.enable_cuda_sync_events = true;
  experimental.profile_all_threads = true;  // loader threads work for the measured code too
  return profiler::ProfilerConfig(torch::profiler::impl::ProfilerState::KINETO, /*report_input_shapes=*/true,
                                  /*profile_memory=*/false, /*with_stack=*/false,
                                  /*with_flops=*/false,
                                  /*with_modules=*/false, experimental);
}

std::set<torch::profiler::impl::ActivityType> activities_on(const Device& device) {
  std::set activities = {torch::profiler::impl::ActivityType::CPU};
  if (device.is_cuda()) activities.insert(torch::profiler::impl::ActivityType::CUDA);
  return activities;
}

/// "float" -> 4: the names that the profiler gives the types of an operator's inputs.
std::int64_t size_of(std::string_view type) {
  constexpr std::pair<std::string_view, std::int64_t> sizes[] = {
      {"float", 4},     {"double", 8},    {"long int", 8},      {"long", 8},
      {"int", 4},       {"bool", 1},      {"unsigned char", 1}, {"signed char", 1},
      {"short int", 2}, {"c10::Half", 2}, {"c10::BFloat16", 2}};
  const auto* found = std::ranges::find(sizes, type, &std::pair<std::string_view, std::int64_t>::first);
  return found == std::end(sizes) ? 0 : found->second;
}

/// What aten::copy_ writes: its first input. 0 where the trace holds no shapes.
std::int64_t bytes_written(const nlohmann::json& args) {
  const auto dims = args.value("Input Dims", nlohmann::json::array());
  const auto types = args.value("Input type", nlohmann::json::array());
  if (dims.empty() || types.empty()) return 0;
  auto bytes = size_of(types[0].get<std::string>());
  for (const auto& size : dims[0]) bytes *= size.get<std::int64_t>();
  return bytes;
}

/// Not cudaDeviceSynchronize: one such call ends every profiled run, and it is the profiler's own.
bool waits_for_device(std::string_view name) {
  constexpr std::array<std::string_view, 3> calls = {"cudaStreamSynchronize", "cudaEventSynchronize",
                                                     "cudaMemcpy"};
  return std::ranges::find(calls, name) != calls.end();
}

}  // namespace

bool profiler_attached() { return libkineto::api().isProfilerInitialized(); }

Kineto::Kineto(const Device& device) : device_(device) {
  // Where there is no GPU, Kineto says so on stderr when it is first used, unless this is set by then.
  setenv("KINETO_LOG_LEVEL", "99", /*overwrite=*/0);  // NOLINT(concurrency-mt-unsafe): nobody else sets it
  profiler::prepareProfiler(profiler_config(), activities_on(device_));
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
  if (device_.is_cuda()) torch::cuda::synchronize(device_.index);
  state_ = State::saved;
  profiler::disableProfiler()->save(file);
}

/// No scopes named: operators, backward functions and ranges, as Python records them.
void Kineto::begin() const { profiler::enableProfiler(profiler_config(), activities_on(device_), {}); }

Counts counts_of(const nlohmann::json& trace) {
  Counts counts;
  for (const auto& event : trace.at("traceEvents")) {
    const auto name = event.value("name", std::string());
    const auto category = event.value("cat", std::string());
    if (category == "gpu_memcpy" && name.starts_with("Memcpy HtoD"))
      counts.host_to_device.push_back(event.at("args").at("bytes"));
    if (category == "gpu_memcpy" && name.starts_with("Memcpy DtoH"))
      counts.device_to_host.push_back(event.at("args").at("bytes"));
    if (category == "cuda_runtime" && waits_for_device(name)) ++counts.synchronizations;
    if (category != "cpu_op" || !name.starts_with("aten::")) continue;
    ++counts.operators;
    if (name != "aten::copy_") continue;
    ++counts.copies;
    counts.copied_bytes += bytes_written(event.value("args", nlohmann::json::object()));
  }
  return counts;
}

Counts count(const Device& device, const std::function<void()>& work) {
  const ScratchFolder folder(temporary_folder());
  const auto file = (folder.path() / "trace.json").string();
  Kineto kineto(device);
  kineto.start();
  work();
  kineto.save(file);
  std::ifstream in(file);
  return counts_of(nlohmann::json::parse(in));
}

}  // namespace harness::inline libtorch
