#include "workloads/steps.hpp"

#include "workloads/gpt/memory.hpp"
#include "workloads/gpt/rung.hpp"
#include "workloads/resnet50/rung.hpp"
#include "workloads/stgym/train/process_feed.hpp"
#include "workloads/stgym/train/training_options.hpp"
#include "workloads/stgym/tuned_training.hpp"
#include "workloads/training/training_log.hpp"
#include "workloads/training/tuned.hpp"
#include "workloads/unet/rung.hpp"

namespace workloads {
std::vector<harness::loader::BatchSource> loader_sources() {
  std::vector<harness::loader::BatchSource> all{stgym::graph_batches};
  for (const auto& source : gpt::memory_sources()) all.push_back(source);
  return all;
}

std::span<const harness::worker::Trainable> trainables() {
  using harness::Setup;
  using Order = harness::run::TrainingOrder;
  using Tell = harness::worker::TellPart;
  static constexpr harness::worker::Trainable all[] = {
      {"stgym", stgym::train_tuned},
      {"gpt", [](Setup& setup, const Order& order,
                 const Tell& tell) { return training::train_job(gpt::job(setup), order, tell); }},
      {"resnet50", [](Setup& setup, const Order& order,
                      const Tell& tell) { return training::train_job(resnet50::job(setup), order, tell); }},
      {"unet", [](Setup& setup, const Order& order,
                  const Tell& tell) { return training::train_job(unet::job(setup), order, tell); }},
  };
  return all;
}

std::span<const std::string_view> not_in_suites() {
  static constexpr std::string_view parts[] = {
      "/against:naive",
      "/ddp",
      "stgym/graph_once/",
      "stgym/explicit_sizes/",
      "stgym/no_host_checks/",
      "stgym/segment_pooling/",
      "stgym/project_first/",
      "stgym/fused_optimizer/",
      "stgym/onednn_products/",
      "stgym/no_unread_graph/",
      "stgym/fused_pooling/",
      "stgym/fused_linear/",
      "stgym/fused_classifier/",
      "stgym/rows_in_place/",
      "stgym/prefetch/",
      "stgym/bf16/",
      "stgym/cuda_graph/",
      "stgym/compiled/",
      "stgym/leave_one_out/",
      "stgym/cpu_vs_cuda/",
      "stgym/lightning_hooks/",
      "resnet50/log_every_n/",
      "resnet50/gradients_to_none/",
      "resnet50/prefetch/",
      "resnet50/workers/",
      "resnet50/transform_ahead/",
      "resnet50/channels_last/",
      "resnet50/tf32/",
      "resnet50/bf16/",
      "resnet50/fp16/",
      "resnet50/fused_optimizer/",
      "resnet50/cudnn_benchmark/",
      "resnet50/cuda_graph/",
      "resnet50/compiled/",
      "resnet50/best_form_bf16/",
      "resnet50/leave_one_out/",
      "resnet50/accuracy/",
      "gpt/log_every_n/",
      "gpt/gradients_to_none/",
      "gpt/prefetch/",
      "gpt/workers/",
      "gpt/transform_ahead/",
      "gpt/fused_attention/",
      "gpt/tf32/",
      "gpt/bf16/",
      "gpt/fp16/",
      "gpt/fused_optimizer/",
      "gpt/foreach_clip/",
      "gpt/cuda_graph/",
      "gpt/compiled/",
      "gpt/best_form_bf16/",
      "gpt/leave_one_out/",
      "gpt/accuracy/",
      "gpt/checkpoint_batch/",
      "unet/log_every_n/",
      "unet/gradients_to_none/",
      "unet/prefetch/",
      "unet/workers/",
      "unet/transform_ahead/",
      "unet/channels_last/",
      "unet/tf32/",
      "unet/bf16/",
      "unet/fp16/",
      "unet/fused_optimizer/",
      "unet/cudnn_benchmark/",
      "unet/cuda_graph/",
      "unet/compiled/",
      "unet/best_form_bf16/",
      "unet/leave_one_out/",
      "unet/accuracy/",
      "/setting:2",
      "/setting:3",
      "/setting:4",
  };
  return parts;
}

std::vector<harness::catalogue::Option> options() {
  auto all = stgym::options();
  for (auto& option : all) {
    if (option.name == "batch-size") {
      option.meaning +=
          "; or this many samples into one of ResNet-50's (8), the GPT's (16) or the U-Net's (4)";
      option.steps += " resnet50/ gpt/ unet/";
    }
    if (option.name == "config") {
      option.meaning += "; or the settings that `tune` has written, for the step `tuned` of any workload";
      option.steps += " gpt/tuned resnet50/tuned unet/tuned";
    }
  }
  all.push_back(
      {"cifar10", "FOLDER",
       "Train ResNet-50 on the first 128 images (accuracy: 384) of CIFAR-10's binary files in FOLDER, "
       "validate on the first 64 (128); default: generated images",
       "resnet50/"});
  all.push_back(
      {"memory", "SIZE",
       "Memory limit of a step whose largest batch is searched: 512M, 2G; default: 256 MiB on the CPU, "
       "four fifths of its memory on a GPU",
       "gpt/checkpoint_batch"});
  all.push_back(
      {"images", "FOLDER",
       "Train the U-Net to find the noise in the first 64 PNG and PGM images (accuracy: 640) in FOLDER, "
       "validate on the next 32 (64); default: generated shapes",
       "unet/"});
  all.push_back(
      {"text", "FILE",
       "Train the GPT on the first 64 KiB of FILE, character by character, validate on its last 8 KiB; "
       "default: tuneproof's own docs",
       "gpt/"});
  for (const auto& option :
       training::log_options("stgym/*/unit:epoch gpt/accuracy resnet50/accuracy unet/accuracy"))
    all.push_back(option);
  return all;
}

}  // namespace workloads
