// Keep a thread and the memory that it works on in the same NUMA node.
//
// Question: Does this machine have two NUMA nodes? If so, how much slower is the other node's memory for one
// thread?
//
// A machine with several sockets (or several dies in one) has memory at each of them. Every processor reaches
// all of it, but a slower link, which all share, leads to the memory of another node. A page lies where the
// thread ran that wrote it first. If the scheduler then moves the thread to another node, or if one thread
// filled the memory for all, the work goes across the link from then on. numactl keeps a whole program on one
// node (--cpunodebind, --membind); training with one process for each node is the usual form.
//
// When it does not matter: on one node (this row is skipped there); where the work stays in the caches. When
// it hurts: where one node's memory or cores are not enough.
//
// A row measures the sum over 64 MiB by one thread that is kept on the first node: the first side over memory
// of the second node, the second over memory of its own node. Both are bound to their nodes and written
// beforehand. It is what binding saves where the scheduler would have moved the thread away from its memory,
// not how often it does so.
//
// Answer: `lscpu` and `numactl --hardware` name the nodes. With one node there is no far memory, and the row
// is skipped. With two, a thread that reads the other node's memory shares a slower link: expect a loss, and
// take its size from the row.

#include "harness/machine/numa.hpp"

#include "microbench/cpu/threads.hpp"
#include "microbench/tip.hpp"

namespace microbench::cpu_numa_bind {

constexpr Axis axes[] = {
    {.name = "bytes", .about = "that are read", .values = {64 << 20}, .unit = Unit::bytes}};

struct State {
  State(std::size_t size, const NumaNode& near_node, const NumaNode& far_node)
      : far_memory(far_node.id, size), near_memory(near_node.id, size), cpus(near_node.cpus) {}
  NodeMemory far_memory, near_memory;
  std::vector<int> cpus;
  at::Tensor far, near, sum;
  ThreadCount threads;
  StayOn stay;
};

/// The same numbers wherever they lie.
at::Tensor filled(const NodeMemory& memory) {
  const auto bytes = memory.bytes();
  auto tensor = at::from_blob(bytes.data(), {static_cast<std::int64_t>(bytes.size() / sizeof(float))},
                              at::TensorOptions().dtype(at::kFloat));
  return tensor.fill_(0.5);
}

Trial prepare(Setup&, const Point& point) {
  const auto nodes = numa_nodes(SystemFiles(), cpus_of_this_thread());
  if (nodes.size() < 2) throw Skip("needs two NUMA nodes with CPUs and memory for this process");
  const auto size = static_cast<std::size_t>(point["bytes"]);
  const auto s = std::make_shared<State>(size, nodes[0], nodes[1]);
  s->far = filled(s->far_memory);
  s->near = filled(s->near_memory);
  s->sum = at::zeros({});

  const auto add_up = [s](const at::Tensor& numbers) { at::sum_out(s->sum, numbers); };
  return {
      .naive = [s, add_up] { add_up(s->far); },
      .optimized = [s, add_up] { add_up(s->near); },
      .clear = [s] { s->sum.fill_(-1); },
      .answer = [s](Form) -> Answer { return std::vector<float>{s->sum.item<float>()}; },
      .before_slot =
          [s](Form) {
            s->threads.set(1);
            move_to(s->cpus);
          },
      .bytes_moved = size,
  };
}

extern constexpr Step step = checked({
    .id = "cpu/numa_bind",
    .claim = "A thread adds up memory of its own NUMA node faster than memory of another node.",
    .claim_ids = "cpu-numa-bind",
    .sides = {"other node", "own node"},
    .source = tuning_guide("CPU specific optimizations, Utilize Non-Uniform Memory Access (NUMA) Controls"),
    .runs = Runs::host,
    .axes = axes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::helps, .published = "no figure"},
});

}  // namespace microbench::cpu_numa_bind
