// What the top of the ladder promises beside its time: little memory, and a device that is never asked.
#include "tests/gpu/stand_in.hpp"

#include "harness/libtorch/kineto.hpp"
#include "harness/libtorch/work_counts.hpp"

#include "workloads/stgym/data/batch.hpp"
#include "workloads/stgym/data/graph_dataset.hpp"
#include "workloads/stgym/train/graph_trainer.hpp"
#include "workloads/stgym/train/torch_modes.hpp"

#include <ATen/ATen.h>
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>
#include <catch2/catch_test_macros.hpp>

#include <cmath>
#include <memory>
#include <utility>
#include <vector>

namespace {

using namespace workloads::stgym;

std::shared_ptr<const Dataset> small_data(const char* scale, at::Device device) {
  return std::make_shared<const Dataset>(move_to(load_dataset({{"scale", scale}}, 7), device));
}

/// The stand-in computes on the host, thread by thread where a kernel is ours.
const char* device_scale() { return on_stand_in() ? "0.002" : "0.02"; }

/// Bytes that a step's formula needs: x, the parameters with gradient and two moments, and what the backward
/// pass reads of each node: both hidden layers, logits and S, the edges' part of S, the classifier's layers,
/// and the logarithms of its softmax.
double needed_bytes(const Trainer& trainer) {
  const auto extent = trainer.extent();
  const auto& shape = extent.shape;
  const auto nodes = extent.training_nodes / static_cast<double>(trainer.batches_per_epoch());
  auto a_node =
      static_cast<double>(shape.features + 2 * shape.hidden + 3 * shape.clusters + 2 * shape.classes);
  for (const auto width : shape.post_hidden) a_node += static_cast<double>(width);
  return 4 * (nodes * a_node + 4 * static_cast<double>(shape.features * shape.hidden));
}

/// What was there before the step: parameters and moments.
double held_bytes(const Trainer& trainer) {
  const auto shape = trainer.extent().shape;
  return 4 * 3 * static_cast<double>(shape.features * shape.hidden);
}

TEST_CASE("a step of the best form needs at most 1.3 times x, parameters and activations", "[stgym]") {
  Trainer trainer({small_data("0.02", at::kCPU), at::kCPU, {}, 7}, all_kept());
  double most = 0;
  for (std::int64_t batch = 0; batch < trainer.batches_per_epoch(); ++batch) {
    trainer.rewind(batch);
    most += harness::peak_bytes([&] { trainer.step(); });
  }
  const auto mean = most / static_cast<double>(trainer.batches_per_epoch());
  CAPTURE(mean, held_bytes(trainer), needed_bytes(trainer));
  CHECK(mean + held_bytes(trainer) <= 1.3 * needed_bytes(trainer));
}

TEST_CASE("gpu: a step of the best form copies nothing from the host and waits for nothing", "[stgym][gpu]") {
  if (!at::hasCUDA() || at::getNumGPUs() == 0) SKIP("no CUDA device");
  if (on_stand_in()) SKIP("stand-in: it has no records of CUPTI");
  const at::Device gpu(at::kCUDA, 0);
  Trainer trainer({small_data("0.02", gpu), gpu, {}, 7}, all_kept());
  trainer.step();  // libraries set themselves up
  trainer.step();
  const auto counts = harness::count({harness::Device::Kind::cuda, 0}, [&] { trainer.step(); });
  CHECK(counts.synchronizations == 0);
  CHECK(counts.host_to_device.empty());
  CHECK(counts.device_to_host.empty());
}

TEST_CASE("gpu: the best form's step can be captured, and replayed gives the same losses", "[stgym][gpu]") {
  if (!at::hasCUDA() || at::getNumGPUs() == 0) SKIP("no CUDA device");
  const at::Device gpu(at::kCUDA, 0);
  // The default stream cannot be captured.
  const c10::cuda::CUDAStreamGuard stream(c10::cuda::getStreamFromPool(false, gpu.index()));
  const auto data = small_data(device_scale(), gpu);
  const auto losses = [&](bool graph) {
    auto switches = all_kept();
    switches.cuda_graph = graph;
    Trainer trainer({data, gpu, {}, 7}, switches);
    for (std::int64_t i = 0; i < trainer.batches_per_epoch(); ++i) trainer.step();
    return at::tensor(trainer.losses());
  };
  CHECK(at::allclose(losses(true), losses(false), 1e-3, 0));
}

/// Losses of an epoch's batches and the mean of its validation's.
std::pair<at::Tensor, double> epoch_of(const Job& job, bool prefetch) {
  auto switches = all_kept();
  switches.prefetch = prefetch;
  Trainer trainer(job, switches);
  trainer.epoch();
  return {at::tensor(trainer.losses()), trainer.validation().loss};
}

TEST_CASE("gpu: an epoch and its validation are the same from pinned, pageable and the device's memory",
          "[stgym][gpu]") {
  if (!at::hasCUDA() || at::getNumGPUs() == 0) SKIP("no CUDA device");
  const at::Device gpu(at::kCUDA, 0);
  const auto host = small_data(device_scale(), at::kCPU);
  Job job{std::make_shared<const Dataset>(move_to(*host, gpu)), gpu, {}, 7};
  const auto [expected, validation] = epoch_of(job, false);
  job.dataset = std::make_shared<const Dataset>(pinned(*host));
  const auto [ahead, ahead_validation] = epoch_of(job, true);
  job.dataset = host;
  job.graphs_move_alone = true;
  const auto [pageable, pageable_validation] = epoch_of(job, false);
  CHECK(at::allclose(ahead, expected, 1e-3, 0));
  CHECK(at::allclose(pageable, expected, 1e-3, 0));
  CHECK(std::abs(ahead_validation - validation) < 1e-3 * std::abs(validation));
  CHECK(std::abs(pageable_validation - validation) < 1e-3 * std::abs(validation));
}

TEST_CASE("gpu: batches that were copied ahead train like those that lie on the device", "[stgym][gpu]") {
  if (!at::hasCUDA() || at::getNumGPUs() == 0) SKIP("no CUDA device");
  const at::Device gpu(at::kCUDA, 0);
  const auto host = small_data(device_scale(), at::kCPU);
  const auto losses = [&](const std::shared_ptr<const Dataset>& data, bool prefetch) {
    auto switches = all_kept();
    switches.prefetch = prefetch;
    Trainer trainer({data, gpu, {}, 7}, switches);
    for (std::int64_t i = 0; i < trainer.batches_per_epoch(); ++i) trainer.step();
    return at::tensor(trainer.losses());
  };
  const auto ahead = losses(std::make_shared<const Dataset>(pinned(*host)), true);
  const auto resident = losses(std::make_shared<const Dataset>(move_to(*host, gpu)), false);
  CHECK(at::allclose(ahead, resident, 1e-3, 0));
}

}  // namespace
