// Kernels, and how near the roof they are.
#include "harness/support/quantity.hpp"
#include "harness/support/terminal.hpp"
#include "harness/support/text.hpp"
#include "harness/trace/diagnosis_text.hpp"
#include "harness/trace/trace_text.hpp"

#include <fmt/format.h>

#include <numeric>

namespace harness::trace {
namespace {

std::string kinds_line(const KernelSummary& kernels) {
  std::string text;
  std::array<std::size_t, kernel_kind_count> order{};
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::ranges::greater{}, [&](std::size_t i) { return kernels.kind_us[i]; });
  for (const auto i : order) {
    const auto kind = static_cast<KernelKind>(i);
    if (kernels.share(kind) >= 0.005)
      text +=
          (text.empty() ? "" : ", ") + std::string(to_string(kind)) + " " + share_text(kernels.share(kind));
  }
  return text + fmt::format("; products and convolutions are {} of what computes.",
                            share_text(kernels.product_share()));
}

std::string durations_table(const KernelSummary& kernels, const Style& style) {
  constexpr std::array<const char*, 5> names{"below 5 us", "5 to 10 us", "10 to 100 us", "100 us to 1 ms",
                                             "1 ms or more"};
  Columns table({"duration", "kernels", "of all", "time", "of all"});
  for (std::size_t i = 0; i < kernels.durations.size(); ++i) {
    const auto& same = kernels.durations[i];
    table.add({names[i], count_text(same.count),
               share_text(share(static_cast<double>(same.count), static_cast<double>(kernels.count))),
               us_text(same.us), share_text(share(same.us, kernels.us))});
  }
  return table.text(style);
}

std::string top_kernels(const KernelSummary& kernels, std::size_t top, const Style& style) {
  Columns table({"kernel", "<kind", "calls", "time", "of all", "mean", "longest"});
  for (std::size_t i = 0; i < std::min(kernels.rows.size(), top); ++i) {
    const auto& row = kernels.rows[i];
    table.add({short_kernel_name(row.name), std::string(to_string(row.kind)), count_text(row.count),
               us_text(row.us), share_text(share(row.us, kernels.us)),
               us_text(row.us / static_cast<double>(row.count)), us_text(row.longest_us)});
  }
  return table.text(style);
}

/// Achieved rates against the roof of the device, where it is known.
std::string intensity_table(const Diagnosis& diagnosis, std::size_t top, const Style& style) {
  Columns table(
      {"operator, from its shapes", "calls", "time", "FLOP/byte", "TFLOP/s", "GB/s", "of roof", "<bound by"});
  for (std::size_t i = 0; i < std::min(diagnosis.efforts.size(), top); ++i) {
    const auto& row = diagnosis.efforts[i];
    std::string roof;
    std::string bound;
    if (row.roof_us > 0 && row.device_us > 0) {
      roof = share_text(row.roof_us / row.device_us);
      bound = row.arithmetic_us >= row.memory_us ? fmt::format("arithmetic, {}", to_string(row.arithmetic))
                                                 : std::string("memory");
    }
    table.add({row.op, count_text(row.calls), us_text(row.device_us), digits_text(row.need.intensity()),
               digits_text(row.gflops() / 1e3), digits_text(row.gb_s()), roof, bound});
  }
  return table.empty() ? "" : fmt::format("\n{}", table.text(style));
}

std::string roof_line(const Diagnosis& diagnosis, const Style& style) {
  if (diagnosis.efforts.empty()) return "";
  if (diagnosis.model == nullptr)
    return "  The table of peaks does not list this device, so their distance to the roof is unknown.\n";
  const auto& model = *diagnosis.model;
  auto text = fmt::format("Peaks of {}: {} GB/s. Memory is the limit", model.name, model.bandwidth_gb_s);
  const char* lead = " below";
  for (const auto arithmetic : {Arithmetic::fp32, Arithmetic::tf32, Arithmetic::fp16}) {
    const double peak = peak_flops(model, arithmetic);
    if (peak <= 0) continue;
    text +=
        fmt::format("{} {} FLOP per byte in {} ({} TFLOP/s)", lead, digits_text(balance(model, arithmetic)),
                    to_string(arithmetic), digits_text(peak / 1e12));
    lead = ",";
  }
  text += ". ";
  const bool measured = model.source.starts_with("measured");
  return flowing("",
                 text + (measured ? model.source + "." : "docs/diagnose.md and --json name their source."), 2,
                 style);
}

}  // namespace

std::string kernels_section(const Diagnosis& diagnosis, const Showing& showing, const Style& style) {
  const auto& kernels = diagnosis.kernels;
  if (kernels.count == 0) return "";
  const auto verdict = kernels.tiny_share >= 0.5    ? "most of them short"
                       : kernels.median_us >= 100.0 ? "few and large"
                                                    : "of mixed size";
  auto out = section_heading(
      fmt::format("KERNELS: {} in the judged time, {} per ms, median {}: {}", count_text(kernels.count),
                  digits_text(kernels.per_ms), us_text(kernels.median_us), verdict),
      style);
  out += flowing("", kinds_line(kernels), 2, style) + durations_table(kernels, style) + "\n";
  out += top_kernels(kernels, showing.top, style);
  out += intensity_table(diagnosis, showing.top, style);
  return out + roof_line(diagnosis, style);
}

}  // namespace harness::trace
