#include "harness/core/setup.hpp"

#include <charconv>

namespace harness::inline core {

std::string to_string(const Device& device) {
  return device.is_cuda() ? "cuda:" + std::to_string(device.index) : "cpu";
}

Device parse_device(std::string_view text) {
  constexpr std::string_view prefix = "cuda:";
  if (text == "cpu") return {};
  if (text == "cuda") return {Device::Kind::cuda, 0};
  Device device{Device::Kind::cuda, 0};
  const auto digits = text.starts_with(prefix) ? text.substr(prefix.size()) : std::string_view{};
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), device.index);
  if (digits.empty() || error != std::errc{} || end != digits.data() + digits.size() || device.index < 0 ||
      device.index > 127)
    throw std::invalid_argument("'" + std::string(text) + "' is no device: cpu, cuda or cuda:N is expected");
  return device;
}

std::string Setup::option(std::string_view name, std::string otherwise) const {
  const auto found = options.find(name);
  if (found == options.end()) return otherwise;
  return found->second;
}

}  // namespace harness::inline core
