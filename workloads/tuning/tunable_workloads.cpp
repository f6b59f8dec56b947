#include "workloads/tuning/tunable_workloads.hpp"

#include "workloads/stgym/knobs.hpp"
#include "workloads/training/knobs.hpp"

#include <algorithm>

namespace workloads::tuning {
namespace {

using harness::catalogue::TunableWorkload;

const TunableWorkload all[] = {
    {.workload = "stgym",
     .step = "stgym/tuned",
     .amount = stgym::tuned_epochs,
     .unit = "epochs",
     .seconds = 8,
     .knobs = stgym::knobs,
     .clashes = stgym::clashes()},
    {.workload = "gpt",
     .step = "gpt/tuned",
     .amount = training::gpt_amount,
     .unit = "samples",
     .seconds = 8,
     .knobs = training::gpt_knobs,
     .clashes = training::clashes()},
    {.workload = "resnet50",
     .step = "resnet50/tuned",
     .amount = training::resnet50_amount,
     .unit = "samples",
     .seconds = 20,
     .knobs = training::resnet50_knobs,
     .clashes = training::clashes()},
    {.workload = "unet",
     .step = "unet/tuned",
     .amount = training::unet_amount,
     .unit = "samples",
     .seconds = 20,
     .knobs = training::unet_knobs,
     .clashes = training::clashes()},
};

}  // namespace

std::span<const TunableWorkload> tunable_workloads() { return all; }

const TunableWorkload* tunable_workload(std::string_view workload) {
  const auto* const found = std::ranges::find(all, workload, &TunableWorkload::workload);
  return found == std::end(all) ? nullptr : found;
}

}  // namespace workloads::tuning
