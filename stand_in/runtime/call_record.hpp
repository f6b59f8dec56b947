#pragma once

#include "stand_in/runtime.hpp"
#include "stand_in/runtime/captured_graph.hpp"
#include "stand_in/runtime/device_stream.hpp"

namespace stand_in {

/// Writes a line for each command: process, kind, bytes, stream, device, name, with tabs between them.
class Record {
 public:
  Record(const std::string& file, bool trace);

  void add(const Command& command, std::uint64_t stream, int device) const;
  /// A sentence on stderr, with STAND_IN_TRACE.
  void trace(const std::string& sentence) const;

 private:
  int file_ = -1;
  bool trace_;
};

/// Writes what `tuneproof simulate` plays (STAND_IN_CALLS): a JSON object a line for each call, in the form
/// of harness/simulate/recording.hpp. A graph's nodes come before their launch.
class Calls {
 public:
  explicit Calls(const std::string& file);

  /// `waits`: the call returns when the command has ended.
  void submit(const Command& command, const Stream& stream, bool waits) const;
  void node(const Node& node, const Stream& stream) const;
  /// "record_event" or "wait_for_event".
  void event(const char* does, const Stream& stream, const void* event) const;
  /// The host's work by itself, such as an allocation.
  void unpriced(const char* name) const;
  void synchronize_device() const;
  void synchronize_stream(const Stream& stream) const;
  void synchronize_event(const void* event) const;

 private:
  void write(const std::string& members) const;

  int file_ = -1;
};

}  // namespace stand_in
