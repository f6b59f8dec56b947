// Batches sampled and gathered by worker processes, which map the graph and pass batches through shared
// memory.
#pragma once

#include "harness/support/channel.hpp"
#include "harness/support/process_loader.hpp"

#include "workloads/sage/batch_feed.hpp"
#include "workloads/sage/csr_graph.hpp"

namespace workloads::sage {

/// What the program that serves as worker process must know by name.
extern const harness::BatchSource sampled_batches;

/// Memory without a name in the file system, which other processes open by its path.
class SharedMemory {
 public:
  explicit SharedMemory(std::size_t bytes);
  /// Another process's. Throws std::system_error where that is gone.
  explicit SharedMemory(const std::string& path);

  std::string path() const;
  std::byte* data() const { return mapped_.bytes().data(); }

 private:
  harness::Fd file_;
  harness::SharedBytes mapped_;
};

class SampleProcesses {
 public:
  /// Copies the graph into shared memory. The processes start with the first pass.
  SampleProcesses(const Graph& graph, std::vector<std::int64_t> fan_outs, int workers, int ready);

  /// Begins a pass; the processes stay where it has as many batches as the last one. Each has as many seeds.
  /// Throws std::logic_error in the middle of a pass.
  void begin(const std::vector<Order>& orders);
  /// The next batch, on the host, by rows; valid until the next call. Nothing once the pass is over.
  std::optional<Batch> next();

 private:
  std::vector<std::int64_t> fan_outs_;
  int workers_, ready_;
  SharedMemory graph_;
  std::optional<SharedMemory> orders_;
  std::optional<harness::ProcessLoader> loader_;
  std::int64_t batches_ = 0;
};

}  // namespace workloads::sage
