#include "harness/simulate/cost.hpp"

#include "harness/trace/kernels.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace harness::simulate {
namespace {

using Does = Entry::Does;

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

/// Seconds that a kernel takes for its bytes, for its FLOP, and beside either.
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

Kind kind_of(const Entry& entry, const Gpu& gpu) {
  if (entry.as_copy > 0) return Kind::pinned;
  if (entry.does == Does::copy && entry.way != "d2d") return entry.pageable ? Kind::pageable : Kind::pinned;
  return working_seconds(entry, gpu) > moving_seconds(entry, gpu) ? Kind::product : Kind::memory;
}

/// An operator on host tensors: its dispatch, its bytes, and page by page what the system gives anew.
double compute_seconds(const Entry& entry, const Gpu& gpu) {
  const auto dispatch = entry.is_operator ? gpu["host_operator"] * micro : 0;
  const auto touching = entry.fresh >= gpu["fresh_at_least"] ? entry.fresh / (gpu["touch_rate"] * giga) : 0;
  return entry.us * micro + dispatch + entry.bytes / (gpu["host_rate"] * giga) + touching;
}

double least_seconds(const Entry& kernel, const Gpu& gpu) {
  return gpu[kernel.reduction ? "reduction_least" : "kernel_least"] * micro;
}

struct LibraryCommands {
  int commands = 1, reads = 0;
};

/// cuSPARSE and LibTorch make many commands of a call on sparse matrices, and wait for numbers in between.
LibraryCommands library_commands(const Entry& entry, const Gpu& gpu) {
  const auto whole = [&](const char* value) { return static_cast<int>(gpu[value]); };
  if (!entry.of_sparse_matrices()) return {};
  auto made = entry.unit == "sparse_product"
                  ? LibraryCommands{whole("sparse_product_commands"), whole("sparse_product_reads")}
                  : LibraryCommands{whole("sort_commands"), whole("sort_reads")};
  made.reads = std::min(made.reads, made.commands - 1);
  return made;
}

/// Gives entries their times on one GPU.
class Pricing {
 public:
  Pricing(const Gpu& gpu, const Shift& shift) : gpu_(gpu), shift_(shift) {}

  Call call(const Entry& entry) const {
    switch (entry.does) {
      case Does::copy:
        return copy_call(entry);
      case Does::record_event:
        return RecordEvent{entry.stream, entry.event, host("event_call")};
      case Does::wait_for_event:
        return WaitForEvent{entry.stream, entry.event, host("event_call")};
      case Does::synchronize:
        return Synchronize{entry.of, entry.of == Synchronize::For::event ? entry.event : entry.stream,
                           host("synchronize_call")};
      case Does::compute:
        return Compute{entry.name, time(Kind::host, compute_seconds(entry, gpu_)), entry.is_operator};
      case Does::graph:
        return graph_call(entry);
      case Does::kernel:
        break;
    }
    const auto dispatch = entry.is_operator ? host("operator") : 0;
    return Submit{
        entry.stream, command(entry), host("launch") + dispatch, false, entry.is_operator ? entry.name : "",
        dispatch};
  }

  /// Appends the commands before the entry's own, and waits for the numbers that some of them read, where a
  /// library makes many of one call.
  void add_library_commands(const Entry& entry, std::vector<Call>& calls) const {
    const auto made = library_commands(entry, gpu_);
    for (int i = 1; i < made.commands; ++i) {
      calls.emplace_back(
          Submit{entry.stream, kernel_command(entry, least_seconds(entry, gpu_)), host("launch")});
      if (i * made.reads / (made.commands - 1) != (i - 1) * made.reads / (made.commands - 1))
        calls.emplace_back(Synchronize{Synchronize::For::stream, entry.stream, host("synchronize_call")});
    }
  }

 private:
  Nanoseconds time(Kind kind, double seconds) const {
    return nanoseconds(seconds * (kind == shift_.kind ? shift_.times : 1));
  }
  Nanoseconds host(const char* value) const { return time(Kind::host, gpu_[value] * micro); }

  Command kernel_command(const Entry& kernel, double seconds) const {
    const auto all = rules_of(gpu_).multiprocessors;
    const auto lasts = kernel.us > 0 ? nanoseconds(seconds) : time(kind_of(kernel, gpu_), seconds);
    return {profiler_name(kernel), Engine::multiprocessors, lasts,
            kernel.blocks == 0 ? all : std::min(kernel.blocks, all)};
  }

  Command command(const Entry& entry, bool is_node = false) const {
    if (entry.does == Does::copy && entry.way != "d2d")
      return {.name = profiler_name(entry),
              .engine = entry.way == "h2d" ? Engine::to_device : Engine::to_host,
              .lasts = time(kind_of(entry, gpu_), copy_seconds(entry, gpu_)),
              .bytes = entry.bytes};
    auto kernel = entry;
    if (entry.does == Does::copy) kernel.bytes *= 2;  // read and written
    auto seconds = kernel_seconds(kernel, gpu_);
    const bool given = kernel.us > 0 || kernel.as_copy > 0;
    if (is_node && !given) seconds -= least_seconds(kernel, gpu_);  // it is part of the gap before
    return kernel_command(kernel, seconds);
  }

  /// A small pageable copy is staged while the call lasts; the others return when they have ended.
  Submit copy_call(const Entry& entry) const {
    const bool staged =
        entry.pageable && entry.way == "h2d" && entry.bytes <= gpu_["staged_at_once"] && !entry.waits;
    const auto staging = staged ? time(Kind::pageable, entry.bytes / staging_rate(gpu_)) : 0;
    return {entry.stream, command(entry), host("copy_call") + staging,
            entry.waits || (entry.pageable && !staged && entry.way != "d2d")};
  }

  LaunchGraph graph_call(const Entry& entry) const {
    LaunchGraph graph{entry.stream, {}, host("graph_call")};
    for (const auto& node : entry.nodes)
      for (int i = 0; i < node.times; ++i) {
        auto after = node.after;
        if (i > 0) after = {graph.nodes.size() - 1};  // a repeated node is a chain
        graph.nodes.push_back({command(node, true), std::move(after)});
      }
    return graph;
  }

  const Gpu& gpu_;
  Shift shift_;
};

double link_rate(const Gpu& gpu) {
  const auto generation = std::to_string(static_cast<int>(gpu["link_generation"]));
  return gpu["link_rate_" + generation] * gpu["link_share"] * giga;
}

std::string copy_name(const Entry& copy) {
  const auto* host = copy.pageable ? "Pageable" : "Pinned";
  if (copy.way == "h2d") return fmt::format("Memcpy HtoD ({} -> Device)", host);
  if (copy.way == "d2h") return fmt::format("Memcpy DtoH (Device -> {})", host);
  return "Memcpy DtoD (Device -> Device)";
}

/// As libraries name such kernels: the beginning says the type.
std::string_view product_word(const Entry& kernel, bool convolution) {
  if (kernel.unit == "sparse_product") return "spgemm";
  if (kernel.unit == "tf32") return convolution ? "tf32_conv2d" : "tf32_gemm";
  if (kernel.unit == "fp16") return convolution ? "hcudnn_conv2d" : "hgemm";
  return convolution ? "scudnn_conv2d" : "sgemm";
}

std::string operator_kernel_name(const Entry& kernel) {
  std::string_view name = kernel.name;
  if (name.starts_with("aten::")) name.remove_prefix(6);
  const bool convolution = name.find("conv") != name.npos;
  if (kernel.flop > 0 || convolution) return fmt::format("{}_of_{}", product_word(kernel, convolution), name);
  if (trace::kernel_kind(name) != trace::KernelKind::other) return kernel.name;
  if (kernel.reduction) return fmt::format("reduce_kernel_of_{}", name);
  if (name.starts_with("cat")) return "CatArrayBatchedCopy";
  return fmt::format("elementwise_kernel_of_{}", name);
}

}  // namespace

Rules shifted(Rules rules, const Shift& shift) {
  if (shift.kind != Kind::host || !shift.waits) return rules;
  for (auto* time : {&rules.reach, &rules.gap, &rules.node_gap, &rules.wake})
    *time = std::llround(static_cast<double>(*time) * shift.times);
  return rules;
}

Schedule schedule_of(const FormRecord& record, const Gpu& gpu, const Shift& shift) {
  const Pricing plain(gpu, {});
  const Pricing pricing(gpu, shift);
  Schedule schedule{{}, record.non_blocking};
  for (std::size_t i = 0; i < record.entries.size(); ++i) {
    const auto& entry = record.entries[i];
    const bool touched = shift.calls == nullptr || (*shift.calls)[i];
    const auto& prices = touched ? pricing : plain;
    std::vector<Call> calls;
    prices.add_library_commands(entry, calls);
    calls.push_back(prices.call(entry));
    for (int time = 0; time < entry.times; ++time)
      schedule.calls.insert(schedule.calls.end(), calls.begin(), calls.end());
  }
  return schedule;
}

double staging_rate(const Gpu& gpu) {
  if (gpu.has("staging_rate")) return gpu["staging_rate"] * giga;
  return gpu["staging_rate_" + std::to_string(static_cast<int>(gpu["link_generation"]))] * giga;
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

std::string profiler_name(const Entry& entry) {
  if (entry.does == Entry::Does::copy) return copy_name(entry);
  if (entry.is_operator) return operator_kernel_name(entry);
  return entry.name.starts_with("cudaMemset") ? "Memset (Device)" : entry.name;
}

}  // namespace harness::simulate
