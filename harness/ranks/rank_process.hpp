// Another rank, as rank 0 holds it.
#pragma once

#include "harness/loader/start_process.hpp"
#include "harness/support/fd.hpp"

#include <string>
#include <sys/types.h>
#include <utility>

namespace harness::ranks {

/// Owns the process: killed and reaped when its owner goes, so that neither process nor zombie is left.
class RankProcess {
 public:
  explicit RankProcess(loader::StartedProcess started)
      : process_(started.process), socket_(std::move(started.socket)) {}
  RankProcess(RankProcess&& other) noexcept
      : process_(std::exchange(other.process_, -1)), socket_(std::move(other.socket_)) {}
  RankProcess& operator=(RankProcess&&) = delete;
  ~RankProcess();

  const Fd& socket() const { return socket_; }
  pid_t process() const { return process_; }
  /// Of one that has closed its socket: "was killed by signal 9 (Killed)".
  std::string how_it_ended() { return loader::how_it_ended(process_); }

 private:
  pid_t process_;
  Fd socket_;
};

}  // namespace harness::ranks
