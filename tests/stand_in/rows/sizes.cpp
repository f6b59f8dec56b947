#include "sizes.hpp"

#include <algorithm>
#include <string>

namespace rows {
namespace {

constexpr std::int64_t ki = 1 << 10;
constexpr std::int64_t mi = 1 << 20;
constexpr std::int64_t training_step = 0;  // an epoch is many of them; rungs of epochs alone keep theirs
constexpr std::int64_t middle_images = 2;  // 14x256: labels of sizes
constexpr std::int64_t small_images = 3;   // 7x512

// Above 64 KiB and above 1 MiB, where copies and allocations take other ways, sizes of both kinds stay.
constexpr Cap caps[] = {
    {"", "bytes", 4 * mi},
    {"", "values", mi},
    {"", "batch", 1024},
    {"", "numel", 64 * ki},
    {"", "unit", training_step},
    {"transfer/zero_copy_once", "passes", 4},
    {"overlap/chunked_streams", "bytes", mi},
    {"sync/h2d_source_reuse", "bytes", mi},
    {"overlap/prefetch_batch", "width", 64},
    {"overlap/concurrent_kernels", "blocks", 64},
    {"sync/item_every_step", "n", 256},
    {"sync/async_launch", "n", 256},
    {"sync/log_every_n", "n", 256},
    {"sync/control_flow", "n", 256},
    {"precision/tf32_matmul", "n", 512},
    {"precision/reduced_reduction", "rows", 64},
    {"precision/reduced_reduction", "inner", 512},
    {"precision/fp16_accumulation", "n", 256},
    {"precision/amp_fp16", "width", 256},
    {"precision/amp_bf16", "width", 256},
    {"precision/amp_memory", "batch", 64},
    {"launch/cost", "values", 64 * ki},
    {"transfer/register_in_place", "copies", 10},
    {"transfer/pin_multithread", "bytes", mi},
    {"transfer/dataset_resident", "rows", 1024},
    {"launch/graph_on_device", "values", 8 * ki},
    {"transfer/stay_on_device", "rows", 1024},
    {"launch/graph_short_kernels", "values", 8 * ki},
    {"launch/fuse_attention", "positions", 512},
    {"launch/fuse_relu_maxpool", "side", 256},
    {"launch/fuse_dynamic_recompile", "longest", 16 * ki},
    {"memory/alloc_prealloc_varlen", "batch", 4},
    {"memory/kern_shared_mem", "n", 256},
    {"memory/offload", "width", 64},
    {"precision/float8", "n", 128},
    {"optimizer/graph_step", "tensors", 100},
    {"optimizer/foreach", "tensors", 100},
    {"optimizer/zero_grad_none", "tensors", 100},
    {"roofline/roofline_repeat", "repeat", 16},
    {"gnn/feature_gather", "width", 16},
    {"format/channels_last_amp", "shape", small_images},
    {"format/channels_last_fp32", "shape", small_images},
    {"format/cudnn_benchmark", "shape", small_images},
    {"format/unsupported_op", "shape", middle_images},
    {"format/conv_bias_before_bn", "shape", small_images},
    {"format/cudnn_benchmark_variable", "calls", 1},
};

const Cap* cap_of(const harness::Step& step, std::string_view axis) {
  const auto of = [&](std::string_view id) {
    return std::ranges::find_if(caps, [&](const Cap& cap) { return cap.step == id && cap.axis == axis; });
  };
  auto found = of(step.id);
  if (found == std::end(caps)) found = of("");
  return found == std::end(caps) ? nullptr : found;
}

}  // namespace

std::span<const Cap> all_caps() { return caps; }

harness::Point capped(const harness::Step& step, harness::Point point) {
  for (auto& at : point.at) {
    const auto& axis = *std::ranges::find(step.axes, std::string_view(at.axis), &harness::Axis::name);
    const auto* cap = cap_of(step, at.axis);
    if (cap == nullptr) continue;
    const bool keeps =
        axis.has_labels() ? std::ranges::count(axis.all_values(), cap->most) == 0 : at.value <= cap->most;
    if (keeps) continue;
    at.value = cap->most;
    at.text = axis.text(at.value);
  }
  return point;
}

}  // namespace rows
