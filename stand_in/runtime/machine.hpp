#pragma once

#include "stand_in/runtime/call_record.hpp"
#include "stand_in/runtime/captured_graph.hpp"
#include "stand_in/runtime/device_stream.hpp"
#include "stand_in/runtime/kernel_table.hpp"
#include "stand_in/runtime/memory.hpp"
#include "stand_in/runtime/settings.hpp"

#include <atomic>
#include <sys/types.h>

namespace stand_in {

struct Event;

/// Everything that the stand-in keeps for this process. Made at the first use and never destroyed: streams'
/// threads may outlive main().
class Machine {
 public:
  Machine();

  Settings settings;
  Memory memory;
  Record record;
  Calls calls;
  Captures captures;
  Kernels kernels;
  Pools pools;

  Device& device(int index);
  int count() const { return settings.devices; }
  std::uint64_t new_id() { return ++ids_; }
  std::uint64_t new_call() { return ++calls_; }

  /// The stream behind a handle, the default streams' of the current device included; null if there is none.
  std::shared_ptr<Stream> stream(cudaStream_t handle);
  cudaStream_t add_stream(unsigned flags, int priority);
  bool remove_stream(cudaStream_t handle);
  std::shared_ptr<Event> event(cudaEvent_t handle);
  cudaEvent_t add_event(unsigned flags);
  bool remove_event(cudaEvent_t handle);

  bool reaches(int from, int to);
  cudaError_t set_peer(int from, int to, bool on);
  /// For a kernel's pointers: the running or launching device must reach the memory of `device`.
  void require_reach(int device);

  /// The error that sticks, or cudaSuccess.
  cudaError_t lost() const { return static_cast<cudaError_t>(lost_.load()); }
  void lose(cudaError_t error);
  /// From here on what is queued when the process exits goes with the device, as on a real one. Called when
  /// the first work comes, and behind the first work of each name: what a library made for itself meanwhile
  /// is destroyed after that, as it was made before.
  void end_with_process(const std::string& name);
  bool is_ending() const { return ending_; }
  bool is_forked() const;

 private:
  void end();

  std::atomic<int> lost_ = cudaSuccess;
  std::atomic<bool> ending_ = false;
  std::atomic<std::uint64_t> ids_ = 0, calls_ = 0;
  pid_t process_;
  std::mutex mutex_;  // guards what follows
  std::vector<std::unique_ptr<Device>> devices_;
  std::map<cudaStream_t, std::shared_ptr<Stream>> streams_;
  std::map<cudaEvent_t, std::shared_ptr<Event>> events_;
  std::mutex ends_;                    // guards what follows; held by nobody who wants another
  std::set<std::string> ends_behind_;  // names of work
};

Machine& machine();

/// Waits for everything that the current device was given.
void drain();

/// From here on a host access to device memory, and a command's access to what is not allocated, end the
/// process with a sentence. Handlers that the program installs come after ours.
void catch_faults();

}  // namespace stand_in
