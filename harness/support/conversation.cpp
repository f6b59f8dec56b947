#include "harness/support/conversation.hpp"

#include "harness/support/child.hpp"

#include <array>
#include <cerrno>
#include <csignal>
#include <poll.h>
#include <stdexcept>
#include <sys/socket.h>
#include <system_error>

namespace harness::inline support {

Conversation::Conversation(const Command& command, Group group)
    : name_(command.program.string()), group_(group) {
  std::array<int, 2> ends{};
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
    throw std::system_error(errno, std::generic_category(), "making a socket");
  ours_ = Fd(ends[0]);
  set_nonblocking(ours_.get());
  const Fd theirs(ends[1]);
  SpawnOptions options{
      .descriptors = {{STDIN_FILENO, theirs.get()}, {STDOUT_FILENO, theirs.get()}, {STDERR_FILENO}},
      .group = group,
      .on_path = true};
  if (group != Group::ours) {  // no signal reaches it but those that are meant for it
    sigemptyset(&options.blocked.emplace());
    options.default_signals = true;
  }
  pid_ = spawn_named(command, options);
}

Conversation::~Conversation() {
  using std::chrono::steady_clock;
  constexpr std::chrono::seconds patience{2};
  ours_.close();
  const bool ended = ends_by(pid_, steady_clock::now() + patience);
  if (group_ != Group::ours) kill(-pid_, SIGKILL);
  if (!ended) kill(pid_, SIGKILL);
  if (ends_by(pid_, steady_clock::now() + time_to_be_gone)) wait_for_end(pid_);
}

std::string Conversation::ask(std::string_view line) { return ask(line, {}).value(); }

std::optional<std::string> Conversation::ask(std::string_view line, const WaitEnd& end) {
  if (!send(std::string(line) + "\n", end)) return std::nullopt;
  return hear(end);
}

std::string Conversation::listen() { return hear({}).value(); }

/// Without the signal that would end us where the program no longer reads.
bool Conversation::send(std::string_view text, const WaitEnd& end) {
  while (!text.empty()) {
    if (!is_ready(ours_.get(), POLLOUT, end)) return false;
    const auto n = ::send(ours_.get(), text.data(), text.size(), MSG_NOSIGNAL);
    if (n < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (n <= 0) throw std::runtime_error(name_ + " has ended");
    text.remove_prefix(static_cast<std::size_t>(n));
  }
  return true;
}

std::optional<std::string> Conversation::hear(const WaitEnd& end) {
  for (bool open = true;;) {
    if (auto line = heard_.next()) return line;
    if (!open) throw std::runtime_error(name_ + " has ended without an answer");
    if (!is_ready(ours_.get(), POLLIN, end)) return std::nullopt;
    open = heard_.read(ours_.get());
  }
}

}  // namespace harness::inline support
