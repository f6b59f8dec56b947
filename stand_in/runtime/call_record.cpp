#include "stand_in/runtime/call_record.hpp"

#include "stand_in/runtime/machine.hpp"

#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <unistd.h>

namespace stand_in {
namespace {

std::string text(const std::string& value) {
  std::string out = "\"";
  for (const char c : value) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + '"';
}

/// The legacy stream is 0; others have the number that the record gives them.
std::string of(const Stream& stream) {
  const bool legacy = machine().device(stream.device).legacy().get() == &stream;
  return ",\"stream\":" + std::to_string(legacy ? 0 : stream.id) +
         ",\"blocking\":" + (stream.is_blocking() ? "true" : "false");
}

std::string number_of(const void* event) {
  return ",\"event\":" + std::to_string(reinterpret_cast<std::uintptr_t>(event));
}

/// "h2d pageable" -> way and memory. Between host and host nothing reaches the device.
std::string copy(const Command& command) {
  return R"("do":"copy","way":")" + command.name.substr(0, 3) + '"' +
         (command.name.ends_with("pageable") ? ",\"pageable\":true" : "");
}

std::string kernel(const Command& command) {
  std::string out = R"("do":"kernel","name":)" + text(command.name.empty() ? command.what : command.name);
  if (command.what == "operator") out += ",\"operator\":true";
  if (command.sorted > 0) out += ",\"sorted\":" + std::to_string(command.sorted);
  if (command.flop > 0)
    out += ",\"flop\":" + std::to_string(command.flop) + ",\"unit\":" + text(command.unit);
  if (command.reduction) out += ",\"reduction\":true";
  constexpr double us = 1e6;
  if (command.seconds > 0) out += ",\"us\":" + std::to_string(command.seconds * us);
  if (command.as_copy > 0) out += ",\"as_copy\":" + std::to_string(command.as_copy);
  if (command.blocks > 0) out += ",\"blocks\":" + std::to_string(command.blocks);
  if ((command.what == "kernel" && !command.counted) || command.what == "host") out += ",\"uncounted\":true";
  return out;
}

std::string described(const Command& command) {
  auto out = command.what == "memcpy"  ? copy(command)
             : command.what == "graph" ? R"("do":"graph")"
                                       : kernel(command);
  if (command.bytes > 0) out += ",\"bytes\":" + std::to_string(command.bytes);
  return out;
}

}  // namespace

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

Calls::Calls(const std::string& file) {
  if (file.empty()) return;
  constexpr mode_t readable = 0644;
  file_ = open(file.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, readable);
  if (file_ >= 0) return;
  std::fprintf(stderr, "stand-in: cannot write STAND_IN_CALLS, %s\n", file.c_str());
  std::_Exit(2);
}

void Calls::submit(const Command& command, const Stream& stream, bool waits) const {
  // A wait is an event's, and freeing is the host's work.
  if (file_ >= 0 && command.what != "wait" && command.what != "free")
    write(described(command) + of(stream) + (waits ? ",\"waits\":true" : ""));
}

void Calls::node(const Node& node, const Stream& stream) const {
  if (file_ < 0) return;
  std::string after;
  for (const auto before : node.after) {
    if (!after.empty()) after += ',';
    after += std::to_string(before);
  }
  write(described(node.command) + of(stream) + ",\"node\":true,\"after\":[" + after + "]");
}

void Calls::event(const char* does, const Stream& stream, const void* event) const {
  if (file_ >= 0) write("\"do\":" + text(does) + of(stream) + number_of(event));
}

void Calls::unpriced(const char* name) const {
  if (file_ >= 0) write(R"("do":"unpriced","name":)" + text(name));
}

void Calls::synchronize_device() const {
  if (file_ >= 0) write(R"("do":"synchronize")");
}
void Calls::synchronize_stream(const Stream& stream) const {
  if (file_ >= 0) write(R"("do":"synchronize","of":"stream")" + of(stream));
}
void Calls::synchronize_event(const void* event) const {
  if (file_ >= 0) write(R"("do":"synchronize","of":"event")" + number_of(event));
}

/// One write a line: several threads append to one file.
void Calls::write(const std::string& members) const {
  const auto line = '{' + members + "}\n";
  if (::write(file_, line.data(), line.size()) < 0) std::perror("stand-in: STAND_IN_CALLS");
}

}  // namespace stand_in
