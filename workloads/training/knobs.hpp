// The knobs of ResNet-50, GPT and U-Net beside their switches, as plain data. No LibTorch.
#pragma once

#include "harness/catalogue/knob.hpp"

#include "workloads/training/switches.hpp"

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace workloads::training {

/// What the knobs of one model are made from.
struct KnobPlan {
  Input input = Input::images;
  std::vector<std::int64_t> batches;  // sizes of a batch, rising; each divides the trained samples
  std::int64_t standard_batch = 8;
};

// The batch without --batch-size.
constexpr std::int64_t standard_gpt_batch = 16;
constexpr std::int64_t standard_resnet50_batch = 8;
constexpr std::int64_t standard_unet_batch = 4;
/// What --batch-size says, or `standard`. Throws BadInput unless it is a whole number from 1 on.
std::int64_t batch_size(const harness::Options& options, std::int64_t standard);

/// What one trial trains, in samples: a multiple of eight times the largest batch.
constexpr std::int64_t gpt_amount = 512;
constexpr std::int64_t resnet50_amount = 256;
constexpr std::int64_t unet_amount = 128;

/// What can be set of the three models.
std::span<const harness::catalogue::TunableWorkload> tunable_models();
/// The one of that name. Throws std::logic_error for any other.
const harness::catalogue::TunableWorkload& tunable_model(std::string_view name);

/// What no form of a model has together.
std::span<const harness::catalogue::Clash> clashes();

/// The kept rungs that are not knobs, and what the settings ask for.
Switches switches_of(const harness::catalogue::Settings& settings);

}  // namespace workloads::training
