// Records as TensorBoard's event files have them: length, its checksum, an Event message, its checksum. The
// fields' numbers are those of TensorBoard's event.proto, summary.proto and tensor.proto. A message is
// written field by field: the format has four kinds of fields, and its library would be a second copy
// beside LibTorch's own in the worker, and would need these files and a compiler for them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace harness::results {

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

/// CRC-32C of the bytes, rotated and shifted as TFRecord files store it.
std::uint32_t masked_crc(std::string_view bytes);

/// When something happened: seconds since 1970, and the step on TensorBoard's axis.
struct Moment {
  double wall_time = 0;
  std::int64_t step = 0;
};

/// What begins every event file.
std::string version_record(double wall_time);

/// A number. `about`, where it is not empty, is what the page shows behind the card's sign of information.
std::string scalar_record(const Moment& moment, std::string_view tag, float value,
                          std::string_view about = {});

/// Markdown.
std::string text_record(const Moment& moment, std::string_view tag, std::string_view text);

}  // namespace harness::results
