// Records as TensorBoard's event files have them: length, its checksum, data, their checksum.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace microbench {

/// CRC-32C of the bytes, rotated and shifted as TFRecord files store it.
std::uint32_t masked_crc(std::string_view bytes);

/// A scalar as an Event message of TensorBoard, in a record.
std::string scalar_record(std::int64_t step, std::string_view tag, float value, double wall_time);

}  // namespace microbench
