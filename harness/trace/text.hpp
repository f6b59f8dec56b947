// The bytes of a trace file, unpacked, with the padding that the JSON parser reads beyond the end.
#pragma once

#include "harness/trace/trace.hpp"

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string_view>

namespace harness::trace {

/// `size` bytes of text in a buffer of `capacity`; the bytes after the text are 0.
struct Text {
  std::shared_ptr<char[]> data;
  std::size_t size = 0;
  std::size_t capacity = 0;

  std::string_view view() const { return {data.get(), size}; }
};

/// Room for `size` bytes and the padding; not cleared. Throws BadInput, naming `file`, where memory is short.
Text make_text(std::size_t size, const std::string& file);

/// Reads a plain or a gzip file (any number of members), or a pipe of either. Throws BadInput.
Text load_text(const std::filesystem::path& path, const ReadLimits& limits);

/// Unpacks gzip data that lie in memory; `file` only names them in messages. The padding is not cleared.
Text unpack_text(std::string_view packed, const std::string& file, const ReadLimits& limits);

}  // namespace harness::trace
