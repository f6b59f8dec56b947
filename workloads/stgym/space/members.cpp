#include "workloads/stgym/space/members.hpp"

#include "harness/support/near_miss.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

namespace workloads::stgym::space {

using harness::Field;

constexpr std::size_t longest_shown = 60;  // of a name that a file holds

Members::Members(Field object, std::initializer_list<std::string_view> names) : object_(std::move(object)) {
  for (const auto& [name, value] : object_.members()) {
    if (std::ranges::find(names, name) != names.end()) continue;
    const auto shown = name.substr(0, longest_shown);
    const std::vector<std::string> known(names.begin(), names.end());
    Field(value.json(), object_.path() + "." + shown)
        .reject("there is no such field" + harness::did_you_mean(shown, known));
  }
}

std::int64_t Members::count(std::string_view name, std::int64_t least, std::int64_t most,
                            std::optional<std::int64_t> otherwise) const {
  if (otherwise && !has(name)) return *otherwise;
  return object_[name].integer(least, most);
}

double Members::number(std::string_view name, const Bounds& bounds, std::optional<double> otherwise) const {
  if (otherwise && !has(name)) return *otherwise;
  const auto found = object_[name];
  if (!found.json().is_number())
    found.reject(fmt::format("expected a number, not {}", found.json().type_name()));
  const auto value = found.number();
  const bool inside = std::isfinite(value) && value >= bounds.least && value <= bounds.most &&
                      !(bounds.above && value == bounds.least) && !(bounds.below && value == bounds.most);
  if (!inside)
    found.reject(fmt::format("expected a number {} {} {} {}, not {}", bounds.above ? "above" : "from",
                             bounds.least, bounds.below ? "to below" : "to", bounds.most, value));
  return value;
}

bool Members::flag(std::string_view name, bool otherwise) const {
  return has(name) ? object_[name].boolean() : otherwise;
}

std::size_t Members::place_of(std::string_view name, std::span<const std::string_view> names) const {
  const auto found = object_[name];
  const auto text = found.text();
  const auto place = std::ranges::find(names, text);
  if (place == names.end())
    found.reject(fmt::format("'{:.40}' is not one of {}", text, fmt::join(names, ", ")));
  return static_cast<std::size_t>(place - names.begin());
}

}  // namespace workloads::stgym::space
