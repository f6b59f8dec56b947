#include "harness/programs/watched_program.hpp"

#include <cerrno>
#include <poll.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <system_error>

namespace harness::programs {
namespace {

constexpr int passed_on[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2};
constexpr int from_the_kernel = 0x80;  // SI_KERNEL: the terminal has sent it to the whole group

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

}  // namespace

WatchedProgram::WatchedProgram(const std::vector<std::string>& command, const std::string& python_path) {
  sigset_t watched;
  sigemptyset(&watched);
  for (const int signal : passed_on) sigaddset(&watched, signal);
  sigaddset(&watched, SIGCHLD);
  Blocked blocked(watched);
  mask_before_ = blocked.before();
  std::signal(SIGCHLD, SIG_DFL);  // where it is ignored, nobody learns how a child ended
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
    if (signal != SIGCHLD && info.ssi_code != from_the_kernel) kill(pid_, signal);
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
