#include "harness/core/setup.hpp"

#include "harness/core/parse_number.hpp"

namespace harness::inline core {

std::string to_string(const Device& device) {
  return device.is_cuda() ? "cuda:" + std::to_string(device.index) : "cpu";
}

Device parse_device(std::string_view text) {
  constexpr std::string_view prefix = "cuda:";
  if (text == "cpu") return {};
  if (text == "cuda") return {Device::Kind::cuda, 0};
  const auto index = text.starts_with(prefix) ? parse_number<int>(text.substr(prefix.size())) : std::nullopt;
  if (!index || *index < 0 || *index > 127)
    throw std::invalid_argument("'" + std::string(text) + "' is not a device; expected cpu, cuda or cuda:N");
  return {Device::Kind::cuda, *index};
}

int Setup::calibrated(const std::string& key, const std::function<int()>& find) {
  const auto known = calibrations.find(key);
  if (known != calibrations.end()) return known->second;
  if (raise_clocks) raise_clocks();
  return calibrations[key] = find();
}

std::string Setup::option(std::string_view name, std::string otherwise) const {
  const auto found = options.find(name);
  if (found == options.end()) return otherwise;
  return found->second;
}

}  // namespace harness::inline core
