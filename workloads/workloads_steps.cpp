#include "workloads/workloads_steps.hpp"

#include "workloads/gpt/gpt_memory.hpp"
#include "workloads/gpt/gpt_rung.hpp"
#include "workloads/resnet50/resnet50_rung.hpp"
#include "workloads/sage/sage_trial.hpp"
#include "workloads/sage/sample_processes.hpp"
#include "workloads/stgym/graph_train_job.hpp"
#include "workloads/stgym/train/feeds.hpp"
#include "workloads/stgym/train/training_options.hpp"
#include "workloads/training/train_job.hpp"
#include "workloads/training/training_log.hpp"
#include "workloads/unet/unet_rung.hpp"

namespace workloads {
std::vector<harness::BatchSource> loader_sources() {
  std::vector<harness::BatchSource> all{stgym::graph_batches, sage::sampled_batches};
  for (const auto& source : gpt::memory_sources()) all.push_back(source);
  return all;
}

std::span<const harness::worker::Trainable> trainables() {
  using harness::Setup;
  using Order = harness::run::TrainingOrder;
  using Tell = harness::worker::TellPart;
  static constexpr harness::worker::Trainable all[] = {
      {"stgym", stgym::train_job},
      {"gpt", [](Setup& setup, const Order& order,
                 const Tell& tell) { return training::train_job(gpt::job(setup), 512, order, tell); }},
      {"resnet50",
       [](Setup& setup, const Order& order, const Tell& tell) {
         return training::train_job(resnet50::job(setup), 256, order, tell);
       }},
      {"sage", sage::train_job},
      {"unet", [](Setup& setup, const Order& order,
                  const Tell& tell) { return training::train_job(unet::job(setup), 128, order, tell); }},
  };
  return all;
}

std::vector<harness::catalogue::Option> options() {
  auto all = stgym::options();
  for (auto& option : all) {
    if (option.name == "batch-size") {
      option.meaning +=
          "; or this many samples into one of ResNet-50's (8; on a GPU 64), the GPT's (16; 8), the U-Net's "
          "(4; 8) or GraphSAGE's (128; 1024)";
      option.steps += " resnet50/ gpt/ unet/ sage/";
    }
    if (option.name == "scale") {
      option.meaning +=
          ", images of ResNet-50 (224 x 224; on the CPU 64 x 64), layers and pieces of the GPT (12 of 768, "
          "1,024 characters; on the CPU 4 of 128, 64), images of the U-Net (256 x 256; on the CPU 32 x 32), "
          "nodes and edges of GraphSAGE's drawn graph (on the CPU 1/8). A GPU without room takes 1/4 or 1/16";
      option.steps += " resnet50/ gpt/ unet/ sage/";
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
  all.push_back(
      {"graph", "FOLDER",
       "Train GraphSAGE on the graph in FOLDER: edge, node-feat and node-label, each .csv or "
       ".csv.gz without a header, as the Open Graph Benchmark has them, or .npy; train and valid beside "
       "them list the nodes to learn from and to validate on; without them the first nine tenths are "
       "learned from; default: a drawn graph",
       "sage/"});
  for (const auto& option :
       training::log_options("stgym/*/unit:epoch gpt/accuracy resnet50/accuracy unet/accuracy"))
    all.push_back(option);
  return all;
}

}  // namespace workloads
