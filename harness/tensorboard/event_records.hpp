// Records as TensorBoard's event files have them: length, its checksum, an Event message, its checksum. The
// fields' numbers are those of TensorBoard's event.proto, summary.proto and tensor.proto.
#pragma once

#include "harness/tensorboard/message.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace harness::tensorboard {

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

}  // namespace harness::tensorboard
