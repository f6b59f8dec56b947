#include "harness/teach/console.hpp"

#include "harness/support/lines.hpp"

#include <array>
#include <cerrno>
#include <chrono>
#include <poll.h>
#include <unistd.h>
#include <utility>

namespace harness::teach {

void Console::wait_for(int fd) {
  std::array<pollfd, 2> ready{{{fd, POLLIN, 0}, {watch_.fd(), POLLIN, 0}}};
  while (::poll(ready.data(), ready.size(), -1) < 0 && errno == EINTR) {
  }
  if (ready[1].revents != 0 && watch_.take()) throw Interrupted{};
}

std::optional<std::string> Console::line() {
  while (true) {
    if (const auto end = typed_.find('\n'); end != typed_.npos) {
      auto line = typed_.substr(0, end);
      typed_.erase(0, end + 1);
      return line;
    }
    wait_for(STDIN_FILENO);
    std::array<char, 4096> piece{};
    const auto size = ::read(STDIN_FILENO, piece.data(), piece.size());
    if (size < 0 && errno == EINTR) continue;
    if (size <= 0) break;
    typed_.append(piece.data(), static_cast<std::size_t>(size));
  }
  if (typed_.empty()) return std::nullopt;
  return std::exchange(typed_, {});  // a last line without its end
}

Console::Ended Console::run(const Command& command) {
  Child child(command);
  child.send("");
  LineReader lines(std::size_t{1} << 16);
  std::string said;
  for (bool open = true; open;) {
    wait_for(child.said());
    open = lines.read(child.said());
    while (const auto line = lines.next()) said.append(*line).append("\n");
  }
  said += lines.rest();
  constexpr std::chrono::seconds patience{10};  // its output has ended: it is ending too
  const auto exit = child.wait(patience);
  return {exit.value_or(Exit{.code = 1}), std::move(said)};
}

}  // namespace harness::teach
