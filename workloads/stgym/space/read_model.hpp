// The `model` of a configuration, and the members of a JSON object whose names are known; no other may be
// there.
#pragma once

#include "harness/support/field.hpp"

#include "workloads/stgym/space/configuration.hpp"

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace workloads::stgym::space {

/// Bounds of a number. `above`: `least` itself is not allowed; `below`: `most` is not.
struct Bounds {
  double least = 0;
  double most = 0;
  bool above = false;
  bool below = false;
};

/// Everything throws harness::BadInput with the member's path where it is missing, of another type or out of
/// its bounds. Where there is an `otherwise`, the member may be absent. null is not a value, except where it
/// is asked for with `is_null`.
class Members {
 public:
  /// Throws where this is not an object, or has a member of another name.
  Members(harness::Field object, std::initializer_list<std::string_view> names);

  /// True if the member is there, null or not.
  bool has(std::string_view name) const { return object_.json().contains(name); }
  bool is_null(std::string_view name) const { return has(name) && !object_.has(name); }
  harness::Field operator[](std::string_view name) const { return object_[name]; }

  std::int64_t count(std::string_view name, std::int64_t least, std::int64_t most,
                     std::optional<std::int64_t> otherwise = {}) const;
  double number(std::string_view name, const Bounds& bounds, std::optional<double> otherwise = {}) const;
  bool flag(std::string_view name, bool otherwise) const;
  /// One of the names, as the enumerator that has its place.
  template <class Choice>
  Choice choice(std::string_view name, std::span<const std::string_view> names,
                std::optional<Choice> otherwise = {}) const {
    if (otherwise && !has(name)) return *otherwise;
    return static_cast<Choice>(place_of(name, names));
  }

 private:
  std::size_t place_of(std::string_view name, std::span<const std::string_view> names) const;

  harness::Field object_;
};

/// The `model` of a configuration. Throws harness::BadInput with the field's path.
ModelConfig read_model(const harness::Field& field);

}  // namespace workloads::stgym::space
