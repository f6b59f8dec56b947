#include "prices/prices.hpp"

#include "harness/core/setup.hpp"
#include "harness/cuda/check.hpp"
#include "harness/cuda/device.hpp"
#include "harness/libtorch/torch_runtime.hpp"
#include "harness/machine/device_model.hpp"
#include "harness/results/stand_in.hpp"
#include "harness/support/exit_codes.hpp"
#include "harness/support/terminal.hpp"
#include "harness/support/text.hpp"

#include "prices/collector.hpp"
#include "prices/flags.hpp"
#include "prices/machine.hpp"
#include "prices/partners.hpp"
#include "prices/words.hpp"

#include <cuda_runtime_api.h>

#include <ATen/Parallel.h>
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <malloc.h>
#include <optional>
#include <span>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace prices {
namespace {

using Subject = void (*)(const Machine&);
constexpr Subject subjects[] = {add_host_memory, add_handover,       add_ping_pong,  add_collectives,
                                add_threads,     add_host_bandwidth, add_operators,  add_products,
                                add_copies,      add_launches,       add_allocators, add_device_bandwidth,
                                add_devices,     add_managed,        add_nodes};

/// What the parent asks for.
struct Order {
  std::string_view device;
  std::string_view place;  // the fingerprint of this machine and its software
  std::span<const std::string_view> flags;
  const harness::BuildInfo& build;
};

struct Chosen {
  harness::Device device;      // the host where there is no other
  harness::DeviceFacts facts;  // of the CUDA device
  std::string unrun;           // why there are no prices of CUDA; empty where there are
};

Chosen choose(std::string_view asked, const harness::BuildInfo& build) {
  Chosen chosen;
  if (asked == "cpu") {
    chosen.unrun = "--device cpu";
    return chosen;
  }
  const auto device = harness::parse_device(asked == "auto" ? "cuda:0" : asked);
  chosen.facts = harness::probe_device(device.index, std::string(build.cuda_architectures));
  if (chosen.facts.status == "ok")
    chosen.device = device;
  else
    chosen.unrun = chosen.facts.message;
  return chosen;
}

Machine machine_of(const Chosen& chosen, harness::TorchRuntime& torch) {
  Machine machine{.device = chosen.device,
                  .stream = torch.stream_for(chosen.device),
                  .devices = chosen.facts.count,
                  .threads = at::get_num_threads(),
                  .host_bytes = host_bytes_to_use(),
                  .device_bytes = 0};
  if (!machine.has_cuda()) return machine;
  std::size_t free = 0;
  std::size_t total = 0;
  harness::check(cudaMemGetInfo(&free, &total));
  machine.device_bytes = free / 10 * 9;
  return machine;
}

void add_context(const Chosen& chosen, const Machine& machine, const Order& order) {
  const auto& build = order.build;
  benchmark::AddCustomContext("fingerprint", std::string(order.place));
  benchmark::AddCustomContext("threads", std::to_string(machine.threads));
  benchmark::AddCustomContext("tuneproof", fmt::format("{} ({})", build.version, build.commit));
  benchmark::AddCustomContext("libtorch",
                              fmt::format("{}, {} threads", harness::torch_version(), machine.threads));
  const auto device = fmt::format("{}: {}", harness::to_string(chosen.device), chosen.facts.name);
  const auto unrun = fmt::format("CUDA prices: not measured, {}", chosen.unrun);
  benchmark::AddCustomContext("cuda", chosen.unrun.empty() ? device : unrun);
  if (chosen.facts.name.empty()) return;
  benchmark::AddCustomContext("gpu", chosen.facts.name);
  benchmark::AddCustomContext("gpu_multiprocessors", std::to_string(chosen.facts.multiprocessors));
  benchmark::AddCustomContext("gpu_memory_bytes", std::to_string(chosen.facts.memory_bytes));
}

/// What is said beside the table: where the output is for a program, it is not part of it.
class Beside {
 public:
  explicit Beside(const benchmark::BenchmarkReporter& display)
      : table_(dynamic_cast<const benchmark::ConsoleReporter*>(&display) != nullptr) {}
  void print(std::string_view text) const { (table_ ? std::cout : std::cerr) << text << std::flush; }
  harness::Style style() const { return harness::style_of(table_ ? stdout : stderr); }

 private:
  bool table_;
};

/// `said` is Google Benchmark's line on the filter, which begins with a capital and names it.
std::string no_row_sentence(std::string said) {
  said = said.substr(0, said.find('\n'));
  return fmt::format("no price matches: {}; run tuneproof prices --benchmark_list_tests to see all rows",
                     said.empty() ? "no row matches" : said);
}

std::optional<harness::DeviceModel> sheet_of(const harness::DeviceFacts& facts) {
  return harness::device_model({.name = facts.name,
                                .multiprocessors = facts.multiprocessors,
                                .memory_bytes = static_cast<double>(facts.memory_bytes)});
}

int run_all(Words& words, const harness::DeviceFacts& facts) {
  const bool stands_in = harness::results::is_stand_in(facts.name);
  auto& display = *benchmark::CreateDefaultDisplayReporter();
  const Beside beside(display);
  const auto warning = stands_in ? harness::results::warning_line(beside.style()) : std::string();
  beside.print(warning);
  Collector collector(display);
  std::ostringstream said;  // by Google Benchmark of the filter
  collector.SetErrorStream(&said);
  const auto matched = benchmark::RunSpecifiedBenchmarks(&collector, words.reporter());
  benchmark::ClearRegisteredBenchmarks();
  benchmark::Shutdown();
  if (matched == 0) throw harness::BadInput(no_row_sentence(said.str()));
  std::cerr << said.str();
  beside.print(balance_text(balance_of(collector.prices(), sheet_of(facts)), beside.style()) + warning);
  words.keep_file();
  if (collector.failures() > 0)
    std::fprintf(stderr, "tuneproof: %d price%s could not be measured\n", collector.failures(),
                 collector.failures() == 1 ? "" : "s");
  if (!std::cout.flush()) throw std::runtime_error("the output could not be written");
  return collector.failures() > 0 ? 1 : 0;
}

/// Blocks from 128 KiB on are fresh pages each time, as they are at first in any program: glibc would move
/// that limit with what earlier rows have freed.
void fix_allocation() { mallopt(M_MMAP_THRESHOLD, 128 * 1024); }  // NOLINT(concurrency-mt-unsafe): once

int measure(const Order& order) {
  std::signal(SIGPIPE, SIG_IGN);  // the collector ends the program where nobody reads the table
  const auto device = order.device;
  Words words(order.flags);
  benchmark::SetDefaultTimeUnit(benchmark::kMicrosecond);
  words.hand_over();
  const auto chosen = choose(device, order.build);
  if (device.starts_with("cuda") && !chosen.unrun.empty()) {
    std::fprintf(stderr, "tuneproof: %s\n", chosen.unrun.c_str());
    return harness::no_device_exit;
  }
  if (chosen.unrun.empty())
    refuse_blocking_launches(
        [](const char* name) { return std::getenv(name); });  // NOLINT(concurrency-mt-unsafe)
  fix_allocation();
  harness::TorchRuntime torch(at::get_num_threads());
  const auto machine = machine_of(chosen, torch);
  add_context(chosen, machine, order);
  for (const auto subject : subjects) subject(machine);
  return run_all(words, chosen.facts);
}

}  // namespace

int prices_mode(std::span<const std::string_view> words, const harness::BuildInfo& build) {
  constexpr std::string_view device = "--device=";
  constexpr std::string_view place = "--place=";
  if (words.size() == 1 && words.front() == "--end") return 0;
  if (!words.empty() && words.front() == "--rank") return partner_main(words.subspan(1));
  if (words.size() < 2 || !words[0].starts_with(device) || !words[1].starts_with(place)) {
    std::fputs("tuneproof-worker: only tuneproof starts this program; run tuneproof instead\n", stderr);
    return 1;
  }
  try {
    return measure({words[0].substr(device.size()), words[1].substr(place.size()), words.subspan(2), build});
  } catch (const std::exception& error) {
    std::fprintf(stderr, "tuneproof: %s\n", error.what());
    return 1;
  }
}

}  // namespace prices
