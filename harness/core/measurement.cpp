#include "harness/core/measurement.hpp"

#include <new>

namespace harness::inline core {

std::string first_line(std::string text) {
  text = text.substr(0, text.find('\n'));
  while (!text.empty() && (text.back() == ' ' || text.back() == '.')) text.pop_back();
  return text.empty() ? "an exception without a message" : text;
}

Fault host_fault(const std::exception& error, const Device& device) {
  if (dynamic_cast<const std::bad_alloc*>(&error) != nullptr)
    return {true, device.is_cuda() ? "needs more host memory than is available"
                                   : "needs more memory than is available"};
  return {false, first_line(error.what())};
}

}  // namespace harness::inline core
