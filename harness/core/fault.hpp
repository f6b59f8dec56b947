// An exception in the words of the results file.
#pragma once

#include "harness/core/setup.hpp"

#include <exception>

namespace harness::inline core {

struct Fault {
  bool out_of_memory = false;
  std::string sentence;  // out of memory: "needs X, Y free" as far as known
};

/// Of an exception that neither CUDA nor LibTorch has thrown.
Fault host_fault(const std::exception& error, const Device& device);

/// The first line, without the blanks and the full stop at its end.
std::string first_line(std::string text);

}  // namespace harness::inline core
