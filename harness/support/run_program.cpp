#include "harness/support/run_program.hpp"

#include "harness/core/setup.hpp"

#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <poll.h>
#include <sstream>
#include <sys/socket.h>
#include <system_error>

namespace harness::inline support {
namespace {

using std::chrono::steady_clock;

/// All that comes; nothing where the end does not come in time.
std::optional<std::string> read_all(int fd, steady_clock::time_point end) {
  std::string all;
  std::array<char, 4096> piece{};
  while (is_ready(fd, POLLIN, {end})) {
    const auto n = ::read(fd, piece.data(), piece.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return all;
    all.append(piece.data(), static_cast<std::size_t>(n));
  }
  return std::nullopt;
}

}  // namespace

std::filesystem::path find_program(const std::string& name) {
  const auto* const path = std::getenv("PATH");
  std::istringstream folders(path != nullptr ? path : "");
  std::error_code ignored;  // a folder that may not be looked into holds no program
  for (std::string folder; std::getline(folders, folder, ':');)
    if (const auto file = std::filesystem::path(folder) / name;
        std::filesystem::is_regular_file(file, ignored))
      return file;
  return {};
}

Finished run_program(const Command& command, std::string_view input, std::chrono::milliseconds most) {
  Pipe to, from;
  // A pipe takes 64 KiB at once: nobody waits here, and nothing is written to a program that has ended.
  static_cast<void>(write_all(to.write_end.get(), input));  // where it fails, how the program ends says why
  to.write_end.close();
  const pid_t pid = spawn_named(command, {.descriptors = {{STDIN_FILENO, to.read_end.get()},
                                                          {STDOUT_FILENO, from.write_end.get()},
                                                          {STDERR_FILENO}},
                                          .on_path = true});
  from.write_end.close();
  const auto end = steady_clock::now() + most;
  auto output = read_all(from.read_end.get(), end);
  const bool in_time = output && ends_by(pid, end);
  if (!in_time) kill(pid, SIGKILL);
  const auto exit = wait_for_end(pid);
  if (!in_time)
    throw BadInput(fmt::format("{}: did not end within {:.0f} s", command.program.string(),
                               std::chrono::duration<double>(most).count()));
  return {exit, std::move(*output)};
}

Command python_script(const std::filesystem::path& python, std::string_view script,
                      std::vector<std::string> arguments) {
  // Python 3.10 does not know PYTHONSAFEPATH, nor -P. Both modules are there before the path is read.
  constexpr std::string_view isolated =
      "import os, sys\n"
      "sys.path[:] = [p for p in sys.path if p and os.path.realpath(p) != os.getcwd()]\n";
  std::vector<std::string> words{"-c", std::string(isolated).append(script)};
  words.insert(words.end(), arguments.begin(), arguments.end());
  return {.program = python, .arguments = std::move(words), .environment = {"PYTHONSAFEPATH=1"}};
}

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
