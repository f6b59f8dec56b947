// Batches made ahead by worker processes, passed through shared memory, handed out in order; and how such a
// process starts: it finds a socket and shared memory at the numbers of channel.hpp.
#pragma once

#include "harness/support/channel.hpp"
#include "harness/support/fd.hpp"
#include "harness/support/spawn.hpp"

namespace harness::inline support {

/// What a ProcessLoader is asked for.
struct ProcessPlan {
  std::int64_t batches = 0;  // in one epoch
  std::size_t batch_bytes = 0;
  int workers = 0;   // 0: next() makes the batch itself, in this process
  int prefetch = 2;  // batches that may lie ready or in work, per worker
  /// What a worker runs: its main() gives way to loader_main(). This very program by default.
  std::string executable = "/proc/self/exe";
  std::vector<std::string> environment = {};  // "NAME=value", in place of what this process's says
};

/// Owns a worker process: killed and reaped when its owner goes, so that neither process nor zombie is left.
class Worker {
 public:
  Worker(const BatchSource& source, const ProcessPlan& plan, const Fd& memory);
  Worker(Worker&& other) noexcept
      : process_(std::exchange(other.process_, -1)), socket_(std::move(other.socket_)) {}
  Worker& operator=(Worker&&) = delete;
  ~Worker();

  const Fd& socket() const { return socket_; }
  pid_t process() const { return process_; }
  /// Waits for the end of a worker that has closed its socket: "was killed by signal 9 (Killed)".
  std::string how_it_ended();

 private:
  pid_t process_ = -1;
  Fd socket_;
};

/// Worker w of n makes the batches w, w + n, w + 2n, ... in a process that was started afresh (never forked:
/// a fork after CUDA has started inherits a broken context) with one OpenMP thread. The memory has no name
/// in the file system, so nothing of it outlives the processes.
/// Workers are killed when the thread that made the loader ends: let that thread outlive the loader.
class ProcessLoader {
 public:
  /// Starts the workers and with them the first epoch. Throws std::invalid_argument for impossible numbers,
  /// std::system_error where a worker cannot be started.
  ProcessLoader(const BatchSource& source, const ProcessPlan& plan);

  /// The next batch, valid until the next call; nothing once the epoch is over. Throws std::runtime_error
  /// where the source threw (the call after that goes on behind that batch) or a worker died (for good).
  std::optional<std::span<const std::byte>> next();

  /// Begins the next epoch with the same processes. Does nothing before the first batch of an epoch; throws
  /// std::logic_error in the middle of one.
  void restart();

  /// The process ids of the workers.
  std::vector<pid_t> processes() const;

 private:
  void ask(std::int64_t index);
  void await(std::int64_t index);
  std::span<std::byte> slot_of(std::int64_t index) const;
  std::int64_t begin() const { return goal_ - plan_.batches; }

  BatchSource source_;
  ProcessPlan plan_;
  std::int64_t capacity_;  // slots; batch i lies in slot i modulo capacity
  Fd memory_;
  SharedBytes slots_;
  std::int64_t taken_ = 0;  // counts over all epochs, as does goal_
  std::int64_t goal_ = 0;
  std::string broken_;  // how a worker died; no later batch may pass for the one that was lost
  std::vector<Worker> workers_;
};

struct StartedProcess {
  pid_t process = -1;
  Fd socket;  // this end of it
};

/// Started afresh, never forked: a fork after CUDA has started inherits a broken context. With one OpenMP
/// thread, unless the command says otherwise. Throws std::system_error where it cannot be started.
StartedProcess start_process(Command command, const Fd& memory);

/// Waits for the end of a process that has closed its socket or was killed: "was killed by signal 9
/// (Killed)". `process` is -1 from then on.
std::string how_it_ended(pid_t& process);

}  // namespace harness::inline support
