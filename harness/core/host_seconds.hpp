#pragma once

#include <chrono>

namespace harness::inline core {

/// Seconds of the host's clock until `call` has returned, once.
template <class Call>
double host_seconds(Call&& call) {
  const auto begin = std::chrono::steady_clock::now();
  call();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

}  // namespace harness::inline core
