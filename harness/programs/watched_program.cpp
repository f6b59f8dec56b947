#include "harness/programs/watched_program.hpp"

#include <cerrno>
#include <poll.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>

namespace harness::programs {
namespace {

constexpr int passed_on[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2};

/// Puts the signals back whatever happens.
class Blocked {
 public:
  explicit Blocked(const sigset_t& set) { pthread_sigmask(SIG_BLOCK, &set, &before_); }
  Blocked(const Blocked&) = delete;
  Blocked& operator=(const Blocked&) = delete;
  ~Blocked() {
    if (!kept_) pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  const sigset_t& before() const { return before_; }
  void keep() { kept_ = true; }

 private:
  sigset_t before_{};
  bool kept_ = false;
};

/// Tells at each question, a byte, which signals have come since the last one, as bits. Ends with who asks.
[[noreturn]] void answer(int questions, const sigset_t& watched) {
  for (char question = 0; recv(questions, &question, 1, 0) == 1;) {
    std::uint64_t came = 0;
    constexpr timespec at_once{};
    for (int signal = 0; (signal = sigtimedwait(&watched, nullptr, &at_once)) > 0;)
      came |= std::uint64_t{1} << signal;
    send(questions, &came, sizeof came, MSG_NOSIGNAL);
  }
  _exit(0);
}

}  // namespace

/// A signal says who has sent it, and not to whom. The kernel gives a group's to its newest process first, so
/// this one has it when we do.
GroupMember::GroupMember(const sigset_t& watched) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    throw std::system_error(errno, std::generic_category(), "socketpair");
  questions_ = moved_up(Fd(ends[0]));
  const auto answers = moved_up(Fd(ends[1]));
  pid_ = fork();
  if (pid_ < 0) throw std::system_error(errno, std::generic_category(), "fork");
  if (pid_ > 0) return;
  questions_.close();
  answer(answers.get(), watched);
}

GroupMember::~GroupMember() {
  kill(pid_, SIGKILL);
  waitpid(pid_, nullptr, 0);
}

bool GroupMember::got(int signal) {
  constexpr char question = 0;
  std::uint64_t came = 0;
  kill(pid_, SIGCONT);  // it may have been stopped with the program
  if (send(questions_.get(), &question, 1, MSG_NOSIGNAL) == 1 &&
      recv(questions_.get(), &came, sizeof came, MSG_WAITALL) == static_cast<ssize_t>(sizeof came))
    got_ |= came;
  const auto bit = std::uint64_t{1} << signal;
  const bool did = (got_ & bit) != 0;
  got_ &= ~bit;
  return did;
}

WatchedProgram::WatchedProgram(const std::vector<std::string>& command, const std::string& python_path) {
  sigset_t watched;
  sigemptyset(&watched);
  for (const int signal : passed_on) sigaddset(&watched, signal);
  sigaddset(&watched, SIGCHLD);
  Blocked blocked(watched);
  mask_before_ = blocked.before();
  std::signal(SIGCHLD, SIG_DFL);  // where it is ignored, nobody learns how a child ended
  member_.emplace(watched);
  signals_ = Fd(signalfd(-1, &watched, SFD_NONBLOCK | SFD_CLOEXEC));
  if (signals_.get() < 0) throw std::system_error(errno, std::generic_category(), "signalfd");
  pid_ = spawn({.program = command.front(),
                .arguments = {command.begin() + 1, command.end()},
                .environment = {"PYTHONPATH=" + python_path}},
               {.blocked = mask_before_, .on_path = true});
  blocked.keep();
}

/// Drops the signals that came after the program had ended: delivered now, they would end tuneproof instead.
WatchedProgram::~WatchedProgram() {
  signalfd_siginfo late{};
  while (read(signals_.get(), &late, sizeof late) == static_cast<ssize_t>(sizeof late)) {
  }
  pthread_sigmask(SIG_SETMASK, &mask_before_, nullptr);
}

void WatchedProgram::pass_on() {
  signalfd_siginfo info{};
  while (read(signals_.get(), &info, sizeof info) == static_cast<ssize_t>(sizeof info)) {
    const int signal = static_cast<int>(info.ssi_signo);
    if (signal == SIGCHLD) continue;
    const bool to_the_group = member_->got(signal);
    if (!to_the_group || getpgid(pid_) != getpgrp()) kill(pid_, signal);
  }
}

std::optional<Exit> WatchedProgram::reap() const {
  int status = 0;
  if (waitpid(pid_, &status, WNOHANG) != pid_) return std::nullopt;
  return exit_of(status);
}

std::optional<Exit> WatchedProgram::wait(std::chrono::milliseconds time) {
  if (const auto exit = reap()) return exit;
  pollfd ready{signals_.get(), POLLIN, 0};
  poll(&ready, 1, static_cast<int>(time.count()));
  pass_on();
  return reap();
}

int end_like(const Exit& exit) {
  if (exit.signal == 0) return exit.code;
  const rlimit no_core{0, 0};  // the program's own is the one to look at
  setrlimit(RLIMIT_CORE, &no_core);
  std::signal(exit.signal, SIG_DFL);
  raise(exit.signal);
  return 128 + exit.signal;
}

}  // namespace harness::programs
