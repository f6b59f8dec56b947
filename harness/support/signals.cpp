#include "harness/support/signals.hpp"

#include <cerrno>
#include <sys/signalfd.h>
#include <system_error>

namespace harness::inline support {

HeldSignals::HeldSignals() {
  sigset_t ending;
  sigemptyset(&ending);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGPIPE}) sigaddset(&ending, signal);
  pthread_sigmask(SIG_BLOCK, &ending, &before_);
}

HeldSignals::~HeldSignals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

SignalWatch::SignalWatch() {
  sigset_t watched;
  sigemptyset(&watched);
  for (const int s : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&watched, s);
  pthread_sigmask(SIG_BLOCK, &watched, &mask_before_);
  fd_ = Fd(signalfd(-1, &watched, SFD_NONBLOCK | SFD_CLOEXEC));
  if (fd_.get() < 0) throw std::system_error(errno, std::generic_category(), "signalfd");
  struct sigaction ignore{};
  ignore.sa_handler = SIG_IGN;
  sigaction(SIGPIPE, &ignore, &pipe_before_);
}

SignalWatch::~SignalWatch() {
  while (stopped_ && take()) {
  }
  sigaction(SIGPIPE, &pipe_before_, nullptr);
  pthread_sigmask(SIG_SETMASK, &mask_before_, nullptr);
}

std::optional<int> SignalWatch::take() {
  signalfd_siginfo info{};
  if (read(fd_.get(), &info, sizeof info) != static_cast<ssize_t>(sizeof info)) return std::nullopt;
  stopped_ = true;
  return static_cast<int>(info.ssi_signo);
}

}  // namespace harness::inline support
