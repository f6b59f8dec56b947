#include "harness/support/signals.hpp"

#include <cerrno>
#include <sys/signalfd.h>
#include <system_error>

namespace harness::inline support {
namespace {

/// A SIGHUP that is ignored stays so: nohup is to keep us beyond the terminal. A SIGINT does not: a shell
/// ignores it in whatever it starts in the background, and a `kill -INT` there means us all the same.
sigset_t those_that_stop() {
  sigset_t all;
  sigemptyset(&all);
  for (const int signal : {SIGINT, SIGTERM}) sigaddset(&all, signal);
  struct sigaction now{};
  sigaction(SIGHUP, nullptr, &now);
  if (now.sa_handler != SIG_IGN) sigaddset(&all, SIGHUP);
  return all;
}

}  // namespace

HeldSignals::HeldSignals() {
  sigset_t ending;
  sigemptyset(&ending);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGPIPE}) sigaddset(&ending, signal);
  pthread_sigmask(SIG_BLOCK, &ending, &before_);
}

HeldSignals::~HeldSignals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

IgnoredPipe::IgnoredPipe() {
  struct sigaction ignore{};
  ignore.sa_handler = SIG_IGN;
  sigaction(SIGPIPE, &ignore, &before_);
}

IgnoredPipe::~IgnoredPipe() { sigaction(SIGPIPE, &before_, nullptr); }

SignalWatch::SignalWatch() {
  const auto watched = those_that_stop();
  pthread_sigmask(SIG_BLOCK, &watched, &mask_before_);
  fd_ = Fd(signalfd(-1, &watched, SFD_NONBLOCK | SFD_CLOEXEC));
  if (fd_.get() < 0) throw std::system_error(errno, std::generic_category(), "signalfd");
}

SignalWatch::~SignalWatch() {
  while (stopped_ && take()) {
  }
  pthread_sigmask(SIG_SETMASK, &mask_before_, nullptr);
}

std::optional<int> SignalWatch::take() {
  signalfd_siginfo info{};
  if (read(fd_.get(), &info, sizeof info) != static_cast<ssize_t>(sizeof info)) return std::nullopt;
  stopped_ = true;
  return static_cast<int>(info.ssi_signo);
}

}  // namespace harness::inline support
