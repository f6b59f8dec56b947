// Findings about the kernels themselves, and how much of the device they use.
#include "harness/support/quantity.hpp"
#include "harness/trace/device_time.hpp"
#include "harness/trace/findings.hpp"
#include "harness/trace/kernel_rules.hpp"
#include "harness/trace/regime.hpp"
#include "harness/trace/trace_text.hpp"

#include <fmt/format.h>

namespace harness::trace {
namespace {

/// Time of the chosen kernels that were launched inside the spans. Where the host runs ahead more is launched
/// than can run there: then their part of the time in which kernels do run.
double kernel_us(const Evidence& evidence, const std::function<bool(const KernelRow&)>& counts) {
  double us = 0;
  for (const auto& row : evidence.kernels.rows)
    if (counts(row)) us += row.us;
  const double all = evidence.kernels.us * (1 - evidence.kernels.share(KernelKind::communication));
  const double ran =
      evidence.shares[Use::arithmetic] + evidence.shares[Use::memory] + evidence.shares[Use::unknown_work];
  return all > ran ? us * ran / all : us;
}

/// "matmul_k(float*, float*, int)", whose type only its call tells, is somebody's own: no setting of
/// PyTorch's changes it.
bool is_fp32_of_library(std::string_view kernel) {
  const auto parts = name_parts(kernel);
  return kernel_arithmetic(kernel) == Arithmetic::fp32 &&
         kernel_arithmetic(parts.qualified + "<" + parts.templates + ">") == Arithmetic::fp32;
}

/// But for those that move more than they compute, which no other unit makes faster.
double fp32_product_us(const Evidence& evidence) {
  std::vector<bool> chosen(evidence.trace.names.size());
  for (const auto& row : evidence.kernels.rows)
    chosen[row.name_id] = is_product(row.kind) && is_fp32_of_library(row.name);
  const double us = kernel_us(evidence, [&](const KernelRow& row) { return chosen[row.name_id]; });
  const auto thin = blame(evidence, Use::memory, [&](EventId id) {
    const auto& event = evidence.trace.events[id];
    return event.kind == Kind::kernel && chosen[event.name];
  });
  return std::max(us - total_us(thin), 0.0);
}

/// Steps that need a unit which the device lacks would teach nothing here.
void leave_out(Finding& finding, bool tf32, bool bf16) {
  std::erase_if(finding.steps, [&](const std::string& step) {
    return (!tf32 && (step.find("tf32") != step.npos || step == "stgym/matmul_medium")) ||
           (!bf16 && step.find("bf16") != step.npos);
  });
}

/// NVIDIA's devices have tensor cores from compute capability 7.0 on, but for the GTX 16; those for TF32 and
/// BF16 came with 8.0. How fast they are is not known here.
std::optional<Finding> fp32_products_of_unlisted(const Evidence& evidence) {
  const auto& device = evidence.device;
  const bool nvidia = has_any(device.name, {"NVIDIA", "GeForce", "Tesla", "Quadro", "TITAN"});
  if (!nvidia || device.compute_major < 7 || has_any(device.name, {"GTX 16"})) return std::nullopt;
  const double us = fp32_product_us(evidence);
  if (share(us, evidence.window_us()) < worth_reporting) return std::nullopt;
  const bool ampere = device.compute_major >= 8;
  auto finding = remark(
      "fp32_products", share(us, evidence.window_us()) < medium_share ? Severity::low : Severity::medium,
      fmt::format(
          "products and convolutions run in FP32 for {}; {} has tensor cores for {}: measure what they "
          "bring, since the table of peaks does not list this device",
          evidence.each(us), device.name, ampere ? "TF32, BF16 and FP16" : "FP16 (mixed precision)"));
  leave_out(finding, ampere, ampere);
  return finding;
}

std::optional<Finding> fp32_products(const Evidence& evidence) {
  const auto* model = evidence.model;
  if (model == nullptr) return fp32_products_of_unlisted(evidence);
  const bool has_tf32 = model->tf32_tflops > model->fp32_tflops;
  const double faster = has_tf32 ? model->tf32_tflops : model->fp16_tflops;
  if (faster <= model->fp32_tflops) return std::nullopt;
  const double us = fp32_product_us(evidence);
  const double vanishes = us * (1 - model->fp32_tflops / faster);
  // Several cards share a row of the table: the trace knows its own better.
  const auto& device = evidence.device;
  const auto& name = device.name.empty() ? model->name : device.name;
  auto found =
      saving(evidence, "fp32_products", vanishes,
             fmt::format("products and convolutions run in FP32 for {}; {} has {} at {} times the rate{}",
                         evidence.each(us), name, has_tf32 ? "TF32" : "FP16 tensor cores",
                         digits_text(faster / model->fp32_tflops), has_tf32 ? "" : " (mixed precision)"));
  if (found) leave_out(*found, has_tf32, model->bf16_tflops > 0);
  return found;
}

/// What fusing gives: Inductor's loops, optimizers, an activation with a product. PyTorch's own dropout is so
/// called too.
bool is_fused(std::string_view kernel) {
  const auto low = in_lower_case(kernel);
  return low.starts_with("triton_") || (has_any(low, {"fused", "_and_mul"}) && !has_any(low, {"dropout"}));
}

/// Fills read nothing, and no kernel before them can write for them.
std::optional<Finding> pointwise_kernels(const Evidence& evidence) {
  const double us = kernel_us(evidence, [](const KernelRow& row) {
    return row.kind == KernelKind::pointwise && row.name.find("FillFunctor") == row.name.npos &&
           !is_fused(row.name);
  });
  return saving(
      evidence, "pointwise_kernels", us,
      fmt::format("pointwise kernels take {} (fills and fused ones left out); each reads and writes "
                  "its tensors again, which fusing avoids",
                  evidence.each(us)));
}

/// cuDNN's and MIOpen's.
std::optional<Finding> layout_conversions(const Evidence& evidence) {
  const double us = kernel_us(evidence, [](const KernelRow& row) {
    return has_any(row.name, {"nchwToNhwc", "nhwcToNchw", "batched_transpose_"});
  });
  return saving(
      evidence, "layout_conversions", us,
      fmt::format("kernels that turn NCHW into NHWC or back take {}: keep the model in channels_last",
                  evidence.each(us)));
}

constexpr double published_utilisation = 0.7;

std::optional<Finding> low_utilization(const Evidence& evidence) {
  if (evidence.timeline.moments.empty() || evidence.window_us() <= 0 || starts_up(evidence.shares))
    return std::nullopt;
  const auto balance = balance_of(evidence.shares);
  if (1 - balance.held >= published_utilisation) return std::nullopt;
  return remark(
      "low_utilization", Severity::high,
      fmt::format(
          "the device is busy for {} of the time{}; published advice calls less than 70 % a "
          "sign that something is wrong, and the other findings say what it is here",
          share_text(1 - balance.idle),
          evidence.shares.share(Use::start_up) >= least_shown ? " without the first use of kernels" : ""));
}

/// Below half of the multiprocessors the device would do the work of two such kernels in the same time.
constexpr double low_share = 0.5;

std::optional<Finding> low_sm_share(const Evidence& evidence) {
  for (const auto& device : evidence.devices)
    if (device.device == evidence.timeline.device && device.sm_share >= 0 && device.sm_share < low_share)
      return remark("low_sm_share", Severity::low,
                    fmt::format("while kernels run, only {} of the multiprocessors have work on average; a "
                                "larger batch would use the others",
                                share_text(device.sm_share)));
  return std::nullopt;
}

}  // namespace

Found kernel_findings(const Evidence& evidence) {
  return {fp32_products(evidence), pointwise_kernels(evidence), layout_conversions(evidence),
          low_utilization(evidence), low_sm_share(evidence)};
}

}  // namespace harness::trace
