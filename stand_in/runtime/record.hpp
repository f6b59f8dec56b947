#pragma once

#include "stand_in/runtime.hpp"

#include <cstdint>
#include <string>

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

}  // namespace stand_in
