#include "harness/support/read_text.hpp"

#include "harness/core/setup.hpp"
#include "harness/support/gzip.hpp"

#include <fmt/format.h>

#include <array>
#include <cerrno>
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

}  // namespace harness::inline support
