#include "workloads/training/knobs.hpp"

#include "workloads/tuning/make_knob.hpp"
#include "workloads/tuning/number_options.hpp"

#include <algorithm>
#include <iterator>
#include <stdexcept>
#include <string>

namespace workloads::training {
namespace {

using harness::catalogue::Clash;
using harness::catalogue::Knob;
using harness::catalogue::Settings;
using harness::catalogue::TunableWorkload;
using harness::catalogue::TuningPlace;
using tuning::has;
using tuning::number_of;

/// TF32 and FP16 are a device's.
Knob precision_knob(bool on_cuda) {
  Knob knob{.name = "precision",
            .about = "format of products and convolutions",
            .values = {"fp32", "bf16"},
            .standard = "fp32",
            .advice = "bf16",
            .changes_answer = true,
            .in_code = {"", on_cuda ? "torch.autocast(\"cuda\", torch.bfloat16)"
                                    : "torch.autocast(\"cpu\", torch.bfloat16)"}};
  if (!on_cuda) return knob;
  knob.values.insert(knob.values.end(), {"tf32", "fp16"});
  knob.in_code.emplace_back("torch.set_float32_matmul_precision(\"high\")");
  knob.in_code.emplace_back("torch.autocast(\"cuda\", torch.float16) and torch.amp.GradScaler()");
  return knob;
}

Knob yes_no(const char* name, const char* about, const char* advice, const char* code) {
  return {.name = name,
          .about = about,
          .values = {"no", "yes"},
          .standard = "no",
          .advice = advice,
          .in_code = {"", code}};
}

/// The parts of a batch see each other in a batch norm only.
Knob accumulation_knob(Input input) {
  auto knob =
      tuning::number_knob("accumulation", "parts that a batch is trained in, their gradients added up",
                          {1, 2, 4}, 1, "optimizer.step() after each {0} backward passes of loss / {0}");
  knob.changes_answer = input == Input::images;
  knob.in_code.front().clear();
  return knob;
}

std::vector<Knob> knobs_of(const KnobPlan& plan, const TuningPlace& place) {
  const bool on_cuda = place.device.is_cuda();
  std::vector<Knob> all{
      tuning::batch_knob("samples of a batch", plan.batches, batch_size(place.options, plan.standard_batch)),
      accumulation_knob(plan.input)};
  for (auto& knob : tuning::rate_knobs()) all.push_back(std::move(knob));
  all.push_back(tuning::workers_knob({0, 1, 2, 4}));
  all.push_back(tuning::number_knob("prefetch", "batches that lie ready, per worker", {1, 2, 4}, 2,
                                    "DataLoader(prefetch_factor={})"));
  if (on_cuda)
    all.push_back(yes_no("pinned", "batches in pinned memory, copied to the device one ahead", "yes",
                         "DataLoader(pin_memory=True) and x.to(device, non_blocking=True)"));
  all.push_back(tuning::threads_knob(place.threads));
  all.push_back(precision_knob(on_cuda));
  if (plan.input == Input::images)
    all.push_back(yes_no("channels_last", "images and kernels lie in memory channels last", "yes",
                         "model.to(memory_format=torch.channels_last), and the images too"));
  all.push_back(tuning::execution_knob(on_cuda));
  if (plan.input == Input::text)
    all.push_back(yes_no("checkpointing", "each block keeps its input only and computes the rest again", "",
                         "torch.utils.checkpoint.checkpoint(block, x)"));
  return all;
}

constexpr auto whole_batch = "the compiled step takes a batch whole";
constexpr auto single = "the compiled step is in FP32 or BF16";
constexpr Clash all_clashes[] = {
    {"execution", "compiled", "accumulation", "2", whole_batch},
    {"execution", "compiled", "accumulation", "4", whole_batch},
    {"execution", "compiled", "precision", "fp16", single},
    {"execution", "compiled", "precision", "tf32", single},
    {"execution", "compiled", "checkpointing", "yes", "the compiled step decides itself what it keeps"},
    {"execution", "cuda_graph", "precision", "fp16",
     "FP16's scale asks the host in each step, which no CUDA graph can"},
    {"batch_size", "2", "accumulation", "4", "a batch has fewer samples than parts"},
};

std::vector<Knob> gpt_knobs(const TuningPlace& place) {
  return knobs_of({.input = Input::text, .batches = {4, 8, 16, 32, 64}, .standard_batch = standard_gpt_batch},
                  place);
}

std::vector<Knob> resnet50_knobs(const TuningPlace& place) {
  return knobs_of(
      {.input = Input::images, .batches = {4, 8, 16, 32}, .standard_batch = standard_resnet50_batch}, place);
}

std::vector<Knob> unet_knobs(const TuningPlace& place) {
  return knobs_of({.input = Input::images, .batches = {2, 4, 8, 16}, .standard_batch = standard_unet_batch},
                  place);
}

const TunableWorkload models[] = {
    {.workload = "gpt",
     .step = "gpt/tuned",
     .amount = gpt_amount,
     .unit = "samples",
     .seconds = 8,
     .knobs = gpt_knobs,
     .clashes = all_clashes},
    {.workload = "resnet50",
     .step = "resnet50/tuned",
     .amount = resnet50_amount,
     .unit = "samples",
     .seconds = 20,
     .knobs = resnet50_knobs,
     .clashes = all_clashes},
    {.workload = "unet",
     .step = "unet/tuned",
     .amount = unet_amount,
     .unit = "samples",
     .seconds = 20,
     .knobs = unet_knobs,
     .clashes = all_clashes},
};

}  // namespace

std::int64_t batch_size(const harness::Options& options, std::int64_t standard) {
  return tuning::count_option(options, "batch-size", standard);
}

std::span<const Clash> clashes() { return all_clashes; }

std::span<const TunableWorkload> tunable_models() { return models; }

const TunableWorkload& tunable_model(std::string_view name) {
  const auto* const found = std::ranges::find(models, name, &TunableWorkload::workload);
  if (found == std::end(models)) throw std::logic_error("no model is called " + std::string(name));
  return *found;
}

Switches switches_of(const Settings& settings) {
  auto switches = best();
  switches.channels_last = has(settings, "channels_last", "yes");
  switches.workers = number_of(settings, "workers") > 0;
  switches.prefetch = has(settings, "pinned", "yes");
  switches.bf16 = has(settings, "precision", "bf16");
  switches.fp16 = has(settings, "precision", "fp16");
  switches.tf32 = has(settings, "precision", "tf32");
  switches.checkpoint = has(settings, "checkpointing", "yes");
  switches.compiled = has(settings, "execution", "compiled");
  switches.cuda_graph = has(settings, "execution", "cuda_graph");
  return switches;
}

}  // namespace workloads::training
