// Machines with several NUMA nodes: each node's processors read each node's memory, and the device copies
// from each node.
#include "harness/cuda/pageable_pinned_device_buffers.hpp"
#include "harness/machine/numa.hpp"

#include "prices/checks.hpp"
#include "prices/pattern.hpp"
#include "prices/price_list.hpp"
#include "prices/price_row.hpp"
#include "prices/priced_machine.hpp"
#include "prices/queued.hpp"

#include <fmt/format.h>

namespace prices {
namespace {

using namespace harness;

constexpr std::size_t size = 256 * mib;
constexpr std::uint32_t seed = 1;

std::uint64_t sum_of(std::span<const std::byte> bytes) {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i + sizeof sum <= bytes.size(); i += sizeof sum) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data() + i, sizeof word);
    sum += word;
  }
  return sum;
}

/// One thread: what differs between nodes is the way, and a thread alone shows its length best.
void read_row(benchmark::State& state, const NumaNode& reader, int memory) {
  const NodeMemory pages(memory, size);
  const StayOn there(reader);
  for (auto _ : state) {
    auto sum = sum_of(pages.bytes());
    benchmark::DoNotOptimize(sum);
  }
  count_bytes(state, size);
}

void copy_row(benchmark::State& state, const Stream& stream, int memory) {
  const NodeMemory pages(memory, size);
  const PageLock locked(pages.bytes());
  const DeviceBuffer device(size);
  fill_pattern(pages.bytes(), seed);
  const auto once = [&] {
    check(cudaMemcpyAsync(device.data(), pages.bytes().data(), size, cudaMemcpyHostToDevice, stream.get()));
  };
  once();
  stream.synchronize();
  sample_queued(state, queued_copies, stream, once);
  clear_on_device(all_of(device), stream);
  once();
  require_on_device(all_of(device), seed, stream);
  count_bytes(state, size);
}

/// Containers show nodes that they may not use; and a process that binds more to a node than it has is
/// killed.
bool may_use(const NumaNode& node) {
  constexpr std::size_t page = 4096;
  if (node.free_bytes < 2.0 * size) return false;
  try {
    const NodeMemory memory(node.id, page);
  } catch (const Skip&) {
    return false;
  }
  return true;
}

}  // namespace

void add_nodes(const Machine& machine) {
  auto nodes = numa_nodes(SystemFiles(), cpus_of_this_thread());
  std::erase_if(nodes, [](const NumaNode& node) { return !may_use(node); });
  if (nodes.size() < 2 || machine.host_bytes < size) return;
  for (const auto& reader : nodes)
    for (const auto& memory : nodes)
      add(fmt::format("prices/numa/read/cpus:{}/memory:{}/bytes:{}", reader.id, memory.id, bytes_text(size)),
          Clock::host, [reader, id = memory.id](benchmark::State& state) { read_row(state, reader, id); });
  if (!machine.has_cuda() || machine.device_bytes < size) return;
  if (!machine.has(cudaDevAttrHostRegisterSupported)) return;
  for (const auto& memory : nodes)
    add(fmt::format("prices/numa/h2d/memory:{}/bytes:{}", memory.id, bytes_text(size)), Clock::own,
        [id = memory.id, stream = machine.stream](benchmark::State& state) { copy_row(state, *stream, id); });
}

}  // namespace prices
