#include "harness/support/lines.hpp"

#include <array>
#include <cerrno>
#include <unistd.h>
#include <utility>

namespace harness::inline support {

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
