#include "harness/support/read_text.hpp"

#include "harness/core/setup.hpp"

#include <fmt/format.h>
#include <libdeflate.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace harness::inline support {
namespace {

std::string unpacked(std::string_view packed, const std::string& file, std::uint64_t most_bytes) {
  std::string text;
  const auto size = unpack_gzip(packed, {file, most_bytes}, [&](std::size_t room) {
    text.resize(room);
    return Room{text.data(), text.size()};
  });
  text.resize(size);
  return text;
}

}  // namespace

void require_readable(const std::filesystem::path& place) {
  if (place.empty()) throw BadInput("'' is no file");
  if (access(place.c_str(), R_OK) != 0)
    throw BadInput(place.string() + ": cannot be read: " + std::generic_category().message(errno));
}

void require_folder(const std::filesystem::path& folder) {
  require_readable(folder);
  std::error_code ignored;
  if (!std::filesystem::is_directory(folder, ignored))
    throw BadInput(folder.string() + ": is a file, not a folder");
}

void require_file(const std::filesystem::path& file) {
  require_readable(file);
  std::error_code ignored;
  if (std::filesystem::is_directory(file, ignored))
    throw BadInput(file.string() + ": is a folder, not a file");
}

void require_regular_file(const std::filesystem::path& file) {
  require_file(file);
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(file, ignored))
    throw BadInput(file.string() + ": is not a regular file");
}

std::string read_text(const std::filesystem::path& file, std::uint64_t most_bytes) {
  constexpr std::size_t piece = std::size_t{1} << 20;
  require_file(file);
  std::ifstream in(file, std::ios::binary);
  std::string text;
  while (in) {  // not by its size: a pipe has none
    const auto before = text.size();
    text.resize(before + piece);
    in.read(text.data() + before, piece);
    text.resize(before + static_cast<std::size_t>(in.gcount()));
    if (text.size() > most_bytes)
      throw BadInput(fmt::format("{}: is too large: more than {} MiB", file.string(), most_bytes >> 20));
  }
  if (!in.eof()) throw BadInput(file.string() + ": cannot be read");
  return is_gzip(text) ? unpacked(text, file.string(), most_bytes) : text;
}

bool LineReader::read(int fd) {
  std::array<char, 1 << 16> block;
  for (int i = 0; i < 16; ++i) {
    const auto n = ::read(fd, block.data(), block.size());
    if (n > 0) {
      buffer_.append(block.data(), static_cast<std::size_t>(n));
      continue;
    }
    if (n < 0 && errno == EINTR) continue;
    return n < 0 && errno == EAGAIN;
  }
  return true;
}

std::optional<std::string> LineReader::next() {
  const auto end = buffer_.find('\n', searched_);
  if (end != std::string::npos) {
    auto line = buffer_.substr(0, end);
    buffer_.erase(0, end + 1);
    searched_ = 0;
    return line;
  }
  searched_ = buffer_.size();
  if (buffer_.size() < limit_) return std::nullopt;
  return rest();
}

std::string LineReader::rest() {
  searched_ = 0;
  return std::exchange(buffer_, {});
}

namespace {

namespace fs = std::filesystem;

bool is_file_or_leads_nowhere(const fs::directory_entry& entry) {
  std::error_code ignored;
  const auto type = entry.status(ignored).type();
  return type == fs::file_type::regular || type == fs::file_type::not_found;
}

template <class Iterator>
std::vector<fs::path> found_by(const fs::path& folder, bool (*wanted)(const fs::path&)) {
  std::vector<fs::path> files;
  std::error_code error;
  for (Iterator at(folder, error), end; !error && at != end; at.increment(error))
    if (wanted(at->path()) && is_file_or_leads_nowhere(*at)) files.push_back(at->path());
  if (error) throw BadInput(folder.string() + ": cannot be read: " + error.message());
  std::ranges::sort(files);
  return files;
}

}  // namespace

bool is_json_name(const fs::path& file) {
  const auto name = file.filename().string();
  return name.ends_with(".json") || name.ends_with(".json.gz");
}

std::vector<fs::path> files_in(const fs::path& folder, bool (*wanted)(const fs::path&), Depth depth) {
  return depth == Depth::all ? found_by<fs::recursive_directory_iterator>(folder, wanted)
                             : found_by<fs::directory_iterator>(folder, wanted);
}

namespace {

struct FreeDecompressor {
  void operator()(libdeflate_decompressor* unpacker) const { libdeflate_free_decompressor(unpacker); }
};
using Unpacker = std::unique_ptr<libdeflate_decompressor, FreeDecompressor>;

[[noreturn]] void refuse_size(const UnpackLimits& limits, const char* or_else) {
  throw BadInput(fmt::format("{}: unpacks to more than the {} bytes allowed{}{}", limits.file,
                             limits.most_bytes, or_else, limits.advice));
}

/// What the last member says of its own size; a lie or the remainder modulo 2^32 costs only another try.
std::uint64_t first_guess(std::string_view packed) {
  std::uint32_t size = 0;
  if (packed.size() >= 18) std::memcpy(&size, packed.data() + packed.size() - sizeof size, sizeof size);
  const std::uint64_t most = 1032 * std::uint64_t{packed.size()};  // the highest ratio that deflate reaches
  return std::clamp<std::uint64_t>(size, 1, std::max<std::uint64_t>(most, 1));
}

}  // namespace

bool is_gzip(std::string_view bytes) { return bytes.size() >= 2 && bytes[0] == '\x1f' && bytes[1] == '\x8b'; }

std::size_t unpack_gzip(std::string_view packed, const UnpackLimits& limits, const MakeRoom& make_room) {
  const auto guess = first_guess(packed);
  if (guess > limits.most_bytes) refuse_size(limits, ", or is truncated");
  const Unpacker unpacker(libdeflate_alloc_decompressor());
  if (!unpacker) throw BadInput(fmt::format("{}: not enough memory to unpack it", limits.file));
  auto room = make_room(static_cast<std::size_t>(guess));
  std::size_t used = 0;
  while (is_gzip(packed)) {
    std::size_t consumed = 0;
    std::size_t produced = 0;
    const auto result =
        libdeflate_gzip_decompress_ex(unpacker.get(), packed.data(), packed.size(), room.data + used,
                                      room.size - used, &consumed, &produced);
    if (result == LIBDEFLATE_INSUFFICIENT_SPACE) {
      if (room.size >= limits.most_bytes) refuse_size(limits, "");
      const auto twice = std::min<std::uint64_t>(std::uint64_t{room.size} * 2, limits.most_bytes);
      room = make_room(static_cast<std::size_t>(twice));
      continue;
    }
    if (result != LIBDEFLATE_SUCCESS)
      throw BadInput(fmt::format("{}: the gzip data are damaged or truncated", limits.file));
    packed.remove_prefix(consumed);
    used += produced;
  }
  return used;
}

}  // namespace harness::inline support
