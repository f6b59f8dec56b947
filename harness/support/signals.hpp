#pragma once

#include "harness/support/fd.hpp"

#include <csignal>
#include <optional>

namespace harness::inline support {

/// While it lives, Ctrl-C, SIGTERM and SIGHUP are not delivered but can be read, and writing to a closed
/// pipe gives an error instead of ending the process. No handler, hence no global state.
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
  struct sigaction pipe_before_{};
  bool stopped_ = false;
  Fd fd_;
};

}  // namespace harness::inline support
