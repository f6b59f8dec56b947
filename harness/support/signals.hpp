#pragma once

#include "harness/support/fd.hpp"

#include <csignal>
#include <optional>

namespace harness::inline support {

/// While it lives, no signal that ends a program is delivered to this thread, or to one that begins meanwhile
/// and goes on: such a thread of a library would end the program although a SignalWatch blocks them here.
class HeldSignals {
 public:
  HeldSignals();
  HeldSignals(const HeldSignals&) = delete;
  HeldSignals& operator=(const HeldSignals&) = delete;
  ~HeldSignals();

 private:
  sigset_t before_{};
};

/// While it lives, a pipe that nobody reads is an error of writing, and does not end the process.
class IgnoredPipe {
 public:
  IgnoredPipe();
  IgnoredPipe(const IgnoredPipe&) = delete;
  IgnoredPipe& operator=(const IgnoredPipe&) = delete;
  ~IgnoredPipe();

 private:
  struct sigaction before_{};
};

/// While it lives, Ctrl-C, SIGTERM and SIGHUP (unless nohup has it ignored) are not delivered but can be
/// read, and closed pipes are ignored. No handler, hence no global state.
class SignalWatch {
 public:
  SignalWatch();
  SignalWatch(const SignalWatch&) = delete;
  SignalWatch& operator=(const SignalWatch&) = delete;
  ~SignalWatch();

  /// Readable when a signal has come.
  int fd() const { return fd_.get(); }
  /// The signal that has come, if one has. Those that come after it are nobody's: a second Ctrl-C does not
  /// cost what the first one kept.
  std::optional<int> take();

 private:
  sigset_t mask_before_{};
  IgnoredPipe no_pipe_;
  bool stopped_ = false;
  Fd fd_;
};

}  // namespace harness::inline support
