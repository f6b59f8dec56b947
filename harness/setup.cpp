#include "harness/setup.hpp"

namespace harness {

std::string to_string(const Device& device) {
  return device.is_cuda() ? "cuda:" + std::to_string(device.index) : "cpu";
}

std::string Setup::option(std::string_view name, std::string otherwise) const {
  const auto found = options.find(name);
  return found == options.end() ? std::move(otherwise) : found->second;
}

}  // namespace harness
