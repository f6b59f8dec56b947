// PyTorch's own profiler (Kineto), from C++.
#pragma once

#include "harness/core/setup.hpp"

#include <string>

namespace harness::inline libtorch {

/// True once this process has recorded anything. Kineto then stays attached to the driver, whose calls take
/// longer for the rest of the process.
bool profiler_attached();

/// What is recorded; allocations become dearer by it.
enum class Recording { operators, operators_and_memory };

/// One recording: made ready when it is made, as torch.profiler does when warm-up begins, then started,
/// stopped, saved. Operators of all threads with their shapes, and the device's work where it is one; no
/// stacks. One at a time. Work that throws in between costs the recording: it goes with its owner.
class Kineto {
 public:
  explicit Kineto(const Device& device, Recording recording = Recording::operators);
  ~Kineto();
  Kineto(const Kineto&) = delete;
  Kineto& operator=(const Kineto&) = delete;

  void start();
  /// Waits for the device, stops, and writes the trace as plain JSON. Throws BadInput where something other
  /// than an ordinary file is in the way.
  void save(const std::string& file);

 private:
  enum class State { ready, recording, saved };
  void begin() const;

  Device device_;
  Recording recording_;
  State state_ = State::ready;
};

}  // namespace harness::inline libtorch
