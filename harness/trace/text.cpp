#include "harness/trace/text.hpp"

#include "harness/setup.hpp"

#include <fmt/format.h>
#include <libdeflate.h>
#include <simdjson.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <new>
#include <string>
#include <sys/stat.h>
#include <utility>

namespace harness {
namespace {

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
struct FreeDecompressor {
  void operator()(libdeflate_decompressor* unpacker) const { libdeflate_free_decompressor(unpacker); }
};
using Unpacker = std::unique_ptr<libdeflate_decompressor, FreeDecompressor>;

[[noreturn]] void refuse_size(const std::string& file, const ReadLimits& limits, const char* verb) {
  const auto advice = limits.flag.empty() ? std::string() : fmt::format("; {} raises the limit", limits.flag);
  throw BadInput(
      fmt::format("{}: {} more than the {} bytes allowed{}.", file, verb, limits.unpacked_bytes, advice));
}

/// Room for more: the text so far moves to a buffer twice as large.
Text grown(Text text, std::size_t used, const std::string& file, const ReadLimits& limits, const char* verb) {
  if (text.size >= limits.unpacked_bytes) refuse_size(file, limits, verb);
  const auto size = std::min<std::uint64_t>(std::uint64_t{text.size} * 2, limits.unpacked_bytes);
  if (used == 0) text.data.reset();  // the two need not lie in memory at once
  Text larger = make_text(static_cast<std::size_t>(size), file);
  if (used > 0) std::memcpy(larger.data.get(), text.data.get(), used);
  return larger;
}

/// A pipe, whose size nobody knows beforehand.
Text read_pipe(std::FILE* input, const std::string& file, const ReadLimits& limits) {
  constexpr std::size_t first = std::size_t{1} << 20;
  Text text = make_text(first, file);
  std::size_t used = 0;
  for (;;) {
    used += std::fread(text.data.get() + used, 1, text.size - used, input);
    if (used < text.size) break;
    text = grown(std::move(text), used, file, limits, "holds");
  }
  if (std::ferror(input) != 0) throw BadInput(fmt::format("{}: reading stopped before its end.", file));
  text.size = used;
  return text;
}

Text read_bytes(const std::string& file, const ReadLimits& limits) {
  struct stat info{};
  if (::stat(file.c_str(), &info) != 0) throw BadInput(fmt::format("{}: there is no such file.", file));
  const bool pipe = S_ISFIFO(info.st_mode);
  if (!S_ISREG(info.st_mode) && !pipe)
    throw BadInput(fmt::format("{}: not a file that can be read whole.", file));
  const auto size = static_cast<std::uint64_t>(info.st_size);
  if (size > limits.unpacked_bytes) refuse_size(file, limits, "holds");
  const std::unique_ptr<std::FILE, CloseFile> input(std::fopen(file.c_str(), "rb"));
  if (!input) throw BadInput(fmt::format("{}: cannot be opened.", file));
  std::setvbuf(input.get(), nullptr, _IONBF, 0);
  if (pipe) return read_pipe(input.get(), file, limits);
  Text text = make_text(static_cast<std::size_t>(size), file);
  if (std::fread(text.data.get(), 1, text.size, input.get()) != text.size)
    throw BadInput(fmt::format("{}: reading stopped before its end.", file));
  return text;
}

bool is_gzip(std::string_view bytes) { return bytes.size() >= 2 && bytes[0] == '\x1f' && bytes[1] == '\x8b'; }

/// What the last member says of its own size; a lie or the remainder modulo 2^32 costs only another try.
std::uint64_t first_guess(std::string_view packed) {
  std::uint32_t size = 0;
  if (packed.size() >= 18) std::memcpy(&size, packed.data() + packed.size() - sizeof size, sizeof size);
  const std::uint64_t most = 1032 * std::uint64_t{packed.size()};  // the highest ratio that deflate reaches
  return std::clamp<std::uint64_t>(size, 1, std::max<std::uint64_t>(most, 1));
}

}  // namespace

Text make_text(std::size_t size, const std::string& file) {
  try {
    const std::size_t capacity = size + simdjson::SIMDJSON_PADDING;
    return {std::shared_ptr<char[]>(new char[capacity]), size, capacity};
  } catch (const std::bad_alloc&) {
    throw BadInput(fmt::format("{}: there is no memory for its {} bytes.", file, size));
  }
}

Text unpack_text(std::string_view packed, const std::string& file, const ReadLimits& limits) {
  const std::uint64_t guess = first_guess(packed);
  if (guess > limits.unpacked_bytes) refuse_size(file, limits, "unpacks to");
  const Unpacker unpacker(libdeflate_alloc_decompressor());
  if (!unpacker) throw BadInput(fmt::format("{}: there is no memory left to unpack it.", file));
  Text text = make_text(static_cast<std::size_t>(guess), file);
  std::size_t used = 0;
  while (is_gzip(packed)) {
    std::size_t consumed = 0;
    std::size_t produced = 0;
    const auto result =
        libdeflate_gzip_decompress_ex(unpacker.get(), packed.data(), packed.size(), text.data.get() + used,
                                      text.size - used, &consumed, &produced);
    if (result == LIBDEFLATE_INSUFFICIENT_SPACE) {
      text = grown(std::move(text), used, file, limits, "unpacks to");
      continue;
    }
    if (result != LIBDEFLATE_SUCCESS)
      throw BadInput(fmt::format("{}: its gzip data are damaged or cut short.", file));
    packed.remove_prefix(consumed);
    used += produced;
  }
  text.size = used;
  return text;
}

Text load_text(const std::filesystem::path& path, const ReadLimits& limits) {
  const std::string file = path.string();
  Text text = read_bytes(file, limits);
  if (is_gzip(text.view())) text = unpack_text(text.view(), file, limits);
  std::memset(text.data.get() + text.size, 0, simdjson::SIMDJSON_PADDING);
  return text;
}

}  // namespace harness
