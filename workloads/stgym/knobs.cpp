#include "workloads/stgym/knobs.hpp"

#include "workloads/stgym/space/config_option.hpp"
#include "workloads/tuning/make_knob.hpp"
#include "workloads/tuning/number_options.hpp"

namespace workloads::stgym {
namespace {

using harness::catalogue::Clash;
using harness::catalogue::Knob;
using harness::catalogue::Settings;
using harness::catalogue::TunableWorkload;
using harness::catalogue::TuningPlace;
using tuning::has;

std::int64_t batch_of(const harness::Options& options) {
  constexpr std::int64_t published = 16;
  const auto configuration = space::configuration_in(options);
  return tuning::count_option(options, "batch-size",
                              configuration ? configuration->data_loader.batch_size : published);
}

/// "medium" lets FP32 products round their factors to BF16 where the library can.
Knob precision() {
  return {
      .name = "precision",
      .about = "format of products: fp32, medium as set_float32_matmul_precision has it, or bf16 by autocast",
      .values = {"fp32", "medium", "bf16"},
      .standard = "fp32",
      .advice = "bf16",
      .changes_answer = true,
      .in_code = {"", "torch.set_float32_matmul_precision(\"medium\")",
                  "torch.autocast(device, torch.bfloat16)"}};
}

Knob loader_kind() {
  return {.name = "loader",
          .about = "what the workers are; threads share the data, processes map it",
          .values = {"threads", "processes"},
          .standard = "threads",
          .in_code = {"", "DataLoader(multiprocessing_context=..., persistent_workers=True)"}};
}

constexpr auto by_itself = "batches that are copied ahead are made by the training itself";
constexpr auto single = "compiled and recorded steps are measured in FP32 only";
constexpr auto fetches = "a recorded step fetches its batch itself";
constexpr Clash all_clashes[] = {
    {"workers", "0", "loader", "processes", "without workers nothing is a process"},
    {"workers", "1", "pinned", "yes", by_itself},
    {"workers", "2", "pinned", "yes", by_itself},
    {"workers", "5", "pinned", "yes", by_itself},
    {"execution", "compiled", "precision", "medium", single},
    {"execution", "compiled", "precision", "bf16", single},
    {"execution", "cuda_graph", "precision", "medium", single},
    {"execution", "cuda_graph", "precision", "bf16", single},
    {"execution", "cuda_graph", "workers", "1", fetches},
    {"execution", "cuda_graph", "workers", "2", fetches},
    {"execution", "cuda_graph", "workers", "5", fetches},
    {"execution", "cuda_graph", "pinned", "yes", fetches},
};

}  // namespace

std::vector<Knob> knobs(const TuningPlace& place) {
  const bool on_cuda = place.device.is_cuda();
  std::vector<Knob> all{
      tuning::batch_knob("graphs of a batch", {2, 4, 8, 16, 32, 64}, batch_of(place.options))};
  for (auto& knob : tuning::rate_knobs()) all.push_back(std::move(knob));
  all.push_back(tuning::workers_knob({0, 1, 2, 5}));
  all.push_back(loader_kind());
  if (on_cuda)
    all.push_back({.name = "pinned",
                   .about = "data in pinned host memory, the next batch copied during this one's step",
                   .values = {"no", "yes"},
                   .standard = "no",
                   .advice = "yes",
                   .in_code = {"", "DataLoader(pin_memory=True) and x.to(device, non_blocking=True)"}});
  all.push_back(tuning::threads_knob(place.threads));
  all.push_back(precision());
  all.push_back(tuning::execution_knob(on_cuda));
  return all;
}

std::span<const Clash> clashes() { return all_clashes; }

const TunableWorkload& tunable() {
  static const TunableWorkload workload{.workload = "stgym",
                                        .step = "stgym/tuned",
                                        .amount = tuned_epochs,
                                        .unit = "epochs",
                                        .seconds = 8,
                                        .knobs = knobs,
                                        .clashes = clashes()};
  return workload;
}

Switches switches_of(const Settings& settings) {
  auto switches = all_kept();
  switches.workers_5 = !has(settings, "workers", "0");
  switches.prefetch = has(settings, "pinned", "yes");
  switches.matmul_medium = has(settings, "precision", "medium");
  switches.bf16 = has(settings, "precision", "bf16");
  switches.compiled = has(settings, "execution", "compiled");
  switches.cuda_graph = has(settings, "execution", "cuda_graph");
  return switches;
}

}  // namespace workloads::stgym
