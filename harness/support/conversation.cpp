#include "harness/support/conversation.hpp"

#include "harness/support/spawn.hpp"

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <stdexcept>
#include <sys/socket.h>
#include <sys/wait.h>
#include <system_error>
#include <thread>
#include <unistd.h>

namespace harness::inline support {
namespace {

/// True once the process has ended and its end was taken note of.
bool ends_within(pid_t pid, std::chrono::milliseconds time) {
  using std::chrono::steady_clock;
  const auto until = steady_clock::now() + time;
  for (;;) {
    const auto ended = waitpid(pid, nullptr, WNOHANG);
    if (ended == pid || (ended < 0 && errno != EINTR)) return true;
    if (steady_clock::now() > until) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
}

/// Without the signal that would end us where the program no longer reads.
bool send_all(int fd, std::string_view text) {
  while (!text.empty()) {
    const auto n = ::send(fd, text.data(), text.size(), MSG_NOSIGNAL);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    text.remove_prefix(static_cast<std::size_t>(n));
  }
  return true;
}

}  // namespace

Conversation::Conversation(const Command& command) : name_(command.program.string()) {
  std::array<int, 2> ends{};
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
    throw std::system_error(errno, std::generic_category(), "making a socket");
  ours_ = Fd(ends[0]);
  const Fd theirs(ends[1]);
  pid_ = spawn_named(
      command, {.descriptors = {{STDIN_FILENO, theirs.get()}, {STDOUT_FILENO, theirs.get()}, {STDERR_FILENO}},
                .on_path = true});
}

Conversation::~Conversation() {
  ours_.close();
  constexpr std::chrono::seconds patience{2};
  if (ends_within(pid_, patience)) return;
  kill(pid_, SIGKILL);
  ends_within(pid_, time_to_be_gone);
}

std::string Conversation::ask(std::string_view line) {
  if (!send_all(ours_.get(), std::string(line) + "\n")) throw std::runtime_error(name_ + " has ended");
  return listen();
}

std::string Conversation::listen() {
  std::array<char, 4096> piece{};
  for (;;) {
    if (const auto end = heard_.find('\n'); end != std::string::npos) {
      const auto line = heard_.substr(0, end);
      heard_.erase(0, end + 1);
      return line;
    }
    const auto n = ::read(ours_.get(), piece.data(), piece.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) throw std::runtime_error(name_ + " has ended without an answer");
    heard_.append(piece.data(), static_cast<std::size_t>(n));
  }
}

}  // namespace harness::inline support
