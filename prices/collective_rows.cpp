// What it costs ranks to exchange tensors, by size and number: over Gloo between processes of this machine,
// over NCCL between its devices. Sizes and bandwidths are nccl-tests'.
#include "harness/machine/numa.hpp"

#include "prices/partners.hpp"
#include "prices/price_list.hpp"
#include "prices/price_row.hpp"
#include "prices/priced_machine.hpp"

#include <fmt/format.h>

namespace prices {
namespace {

using harness::Device;

constexpr std::size_t exchanged[] = {kib, 4 * kib, 16 * kib, 64 * kib, 256 * kib,
                                     mib, 4 * mib, 16 * mib, 64 * mib};
constexpr int ranks_of_rows[] = {2, 4, 8};
constexpr Collective moving_bytes[] = {Collective::all_reduce, Collective::broadcast, Collective::all_gather,
                                       Collective::reduce_scatter};

/// The ranks of some rows: they come with the first row, and anew behind one that failed.
class Ranks {
 public:
  Ranks(Device first, int size) : first_(first), size_(size) {}
  int size() const { return size_; }
  double run(const Exchange& exchange) {
    if (!partners_) partners_.emplace(first_, size_);
    try {
      return partners_->run(exchange);
    } catch (...) {
      partners_.reset();
      throw;
    }
  }

 private:
  Device first_;
  int size_;
  std::optional<Partners> partners_;
};

void collective_row(benchmark::State& state, Ranks& ranks, Collective what, std::size_t size) {
  constexpr std::size_t most_calls = 100;
  const auto bytes = static_cast<std::int64_t>(size);
  const auto calls = size == 0 ? most_calls : std::clamp<std::size_t>(16 * mib / size, 2, most_calls);
  const auto count = static_cast<benchmark::IterationCount>(calls);
  ranks.run({.what = what, .bytes = bytes, .checked = 1});
  sample_calls(state, count, [&] { return ranks.run({.what = what, .bytes = bytes, .calls = count}); });
  if (size == 0) return;
  count_bytes(state, size);
  state.counters["busbw"] = benchmark::Counter(bus_factor(what, ranks.size()) * static_cast<double>(size),
                                               benchmark::Counter::kIsIterationInvariantRate);
}

void add_rows(const Device& first, int size, std::size_t memory) {
  const auto ranks = std::make_shared<Ranks>(first, size);
  const auto* over = first.is_cuda() ? "nccl" : "gloo";
  const auto all = static_cast<std::size_t>(first.is_cuda() ? 1 : size);  // ranks that share the memory
  for (const auto what : moving_bytes)
    for (const auto bytes : fitting(exchanged, 3 * all, memory))
      add(fmt::format("prices/collective/{}/{}/ranks:{}/bytes:{}", to_string(what), over, size,
                      bytes_text(bytes)),
          Clock::own, [=](benchmark::State& state) { collective_row(state, *ranks, what, bytes); });
  add(fmt::format("prices/collective/barrier/{}/ranks:{}", over, size), Clock::own,
      [=](benchmark::State& state) { collective_row(state, *ranks, Collective::barrier, 0); });
}

}  // namespace

void add_collectives(const Machine& machine) {
  const auto cpus = std::ssize(harness::cpus_of_this_thread());
  for (const auto ranks : ranks_of_rows)
    if (ranks <= cpus) add_rows({}, ranks, machine.host_bytes);
  for (const auto ranks : ranks_of_rows)
    if (machine.has_cuda() && machine.device.index + ranks <= machine.devices)
      add_rows(machine.device, ranks, machine.device_bytes);
}

}  // namespace prices
