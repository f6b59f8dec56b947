// A message of protobuf, field by field. The format has four kinds of fields; its library would be a second
// copy beside LibTorch's own in the worker, and would need TensorBoard's .proto files and a compiler for
// them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace harness::tensorboard {

class Message {
 public:
  Message& whole(int field, std::uint64_t value);
  Message& real(int field, double value);
  Message& single(int field, float value);
  Message& bytes(int field, std::string_view value);
  Message& message(int field, const Message& value) { return bytes(field, value.text()); }

  /// The message as it stands in a file.
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

/// The bytes of a number as they lie in memory: protobuf and TFRecord take the lowest byte first, as all
/// machines do that tuneproof runs on.
std::string raw(double value);
std::string raw(float value);
std::string raw(std::uint32_t value);
std::string raw(std::uint64_t value);

}  // namespace harness::tensorboard
