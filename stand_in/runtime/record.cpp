#include "stand_in/runtime/record.hpp"

#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <unistd.h>

namespace stand_in {

Record::Record(const std::string& file, bool trace) : trace_(trace) {
  if (file.empty()) return;
  constexpr mode_t readable = 0644;
  file_ = open(file.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, readable);
  if (file_ >= 0) return;
  std::fprintf(stderr, "stand-in: cannot write STAND_IN_RECORD, %s\n", file.c_str());
  std::_Exit(2);
}

void Record::add(const Command& command, std::uint64_t stream, int device) const {
  if (trace_)
    std::fprintf(stderr, "stand-in: stream %llu: %s %s\n", static_cast<unsigned long long>(stream),
                 command.what.c_str(), command.name.c_str());
  if (file_ < 0) return;
  const auto line = std::to_string(getpid()) + '\t' + command.what + '\t' + std::to_string(command.bytes) +
                    '\t' + std::to_string(stream) + '\t' + std::to_string(device) + '\t' + command.name +
                    '\n';
  // One write a line: several processes append to one file.
  if (write(file_, line.data(), line.size()) < 0) std::perror("stand-in: STAND_IN_RECORD");
}

void Record::trace(const std::string& sentence) const {
  if (trace_) std::fprintf(stderr, "stand-in: %s\n", sentence.c_str());
}

}  // namespace stand_in
