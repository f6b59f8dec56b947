#include "sizes.hpp"

#include <algorithm>
#include <string>

namespace rows {
namespace {

constexpr std::int64_t ki = 1 << 10;
constexpr std::int64_t mi = 1 << 20;

// Above 64 KiB and above 1 MiB, where copies and allocations take other ways, sizes of both kinds stay.
constexpr Cap caps[] = {
    {"", "bytes", 4 * mi},
    {"", "values", mi},
    {"", "batch", 1024},
    {"", "numel", 64 * ki},
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
    {"precision/amp_fp16", "width", 256},
    {"precision/amp_bf16", "width", 256},
    {"precision/amp_memory", "batch", 64},
    {"launch/cost", "values", 64 * ki},
    {"launch/graph_short_kernels", "values", 8 * ki},
    {"launch/fuse_attention", "positions", 512},
    {"launch/fuse_relu_maxpool", "side", 256},
    {"launch/fuse_dynamic_recompile", "longest", 16 * ki},
    {"memory/kern_shared_mem", "n", 512},
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
    const auto axis = std::ranges::find(step.axes, std::string_view(at.axis), &harness::Axis::name);
    const auto* cap = cap_of(step, at.axis);
    if (cap == nullptr || at.value <= cap->most || axis->unit == harness::Unit::label) continue;
    at.value = cap->most;
    at.text = axis->unit == harness::Unit::bytes ? harness::bytes_text(at.value) : std::to_string(at.value);
  }
  return point;
}

}  // namespace rows
