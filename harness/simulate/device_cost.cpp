#include "harness/simulate/device_cost.hpp"

#include "harness/simulate/units.hpp"

#include <algorithm>
#include <cmath>
#include <string>

namespace harness::simulate {
namespace {

double link_rate(const Gpu& gpu) {
  const auto generation = std::to_string(static_cast<int>(gpu["link_generation"]));
  return gpu["link_rate_" + generation] * gpu["link_share"] * giga;
}

/// FLOP per second. An FMA does two FLOP; arithmetic of single operations gets half.
double flop_rate(const Entry& kernel, const Gpu& gpu) {
  if (kernel.unit == "arithmetic") return gpu["fp32"] / 2 * tera;
  if (kernel.unit == "sparse_product") return gpu["sparse_product"] * gpu["memory_rate"] * giga;
  const bool convolution = kernel.name.find("conv") != std::string::npos;
  return gpu[kernel.unit] * gpu[kernel.unit + "_share"] * (convolution ? gpu["convolution_share"] : 1) * tera;
}

/// The last wave of blocks leaves multiprocessors idle.
double waves_over_share(int blocks, int multiprocessors) {
  if (blocks == 0) return 1;
  const auto waves = (blocks + multiprocessors - 1) / multiprocessors;
  return static_cast<double>(waves) * multiprocessors / blocks;
}

/// GB/s. All bytes come through the second-level cache, and a multiprocessor gets its share of that one's
/// rate: a few blocks do not fill the memory's.
double memory_rate(const Entry& kernel, const Gpu& gpu) {
  const auto whole = gpu["memory_rate"] * gpu["memory_share"];
  if (kernel.blocks == 0) return whole;
  const auto all = rules_of(gpu).multiprocessors;
  const auto share = static_cast<double>(std::min(kernel.blocks, all)) / all;
  return std::min(whole, gpu["memory_rate"] * gpu["cache_rate"] * share);
}

}  // namespace

double staging_rate(const Gpu& gpu) {
  if (gpu.has("staging_rate")) return gpu["staging_rate"] * giga;
  return gpu["staging_rate_" + std::to_string(static_cast<int>(gpu["link_generation"]))] * giga;
}

double moving_seconds(const Entry& kernel, const Gpu& gpu) {
  const auto whole = gpu["memory_rate"] * giga;
  if (kernel.unit == "sparse_product") return kernel.bytes / (whole * gpu["sparse_product_share"]);
  return (kernel.bytes - kernel.sorted) / (memory_rate(kernel, gpu) * giga) +
         kernel.sorted / (whole * gpu["sort_share"]);
}

double working_seconds(const Entry& kernel, const Gpu& gpu) {
  if (kernel.flop == 0) return 0;
  return kernel.flop / flop_rate(kernel, gpu) *
         waves_over_share(kernel.blocks, rules_of(gpu).multiprocessors);
}

LibraryCommands library_commands(const Entry& entry, const Gpu& gpu) {
  const auto whole = [&](const char* value) { return static_cast<int>(gpu[value]); };
  if (!entry.of_sparse_matrices()) return {};
  auto made = entry.unit == "sparse_product"
                  ? LibraryCommands{whole("sparse_product_commands"), whole("sparse_product_reads")}
                  : LibraryCommands{whole("sort_commands"), whole("sort_reads")};
  made.reads = std::min(made.reads, made.commands - 1);
  return made;
}

double least_seconds(const Entry& kernel, const Gpu& gpu) {
  return gpu[kernel.reduction ? "reduction_least" : "kernel_least"] * micro;
}

double kernel_seconds(const Entry& kernel, const Gpu& gpu) {
  if (kernel.us > 0) return kernel.us * micro;
  if (kernel.as_copy > 0)
    return copy_seconds({.does = Does::copy, .bytes = kernel.as_copy, .way = "h2d"}, gpu);
  return std::max(moving_seconds(kernel, gpu), working_seconds(kernel, gpu)) + least_seconds(kernel, gpu);
}

double copy_seconds(const Entry& copy, const Gpu& gpu) {
  const bool staged_in_time = copy.way == "h2d" && copy.bytes <= gpu["staged_at_once"];
  auto rate = link_rate(gpu);
  if (copy.pageable && !staged_in_time) rate = std::min(rate, staging_rate(gpu));
  return gpu["copy_start"] * micro + copy.bytes / rate;
}

}  // namespace harness::simulate
