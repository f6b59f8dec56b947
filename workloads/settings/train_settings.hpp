// What `tuneproof train` was asked to do otherwise, "workers=2", by name and as text. No LibTorch.
#pragma once

#include "harness/core/setup.hpp"

#include <cstdint>
#include <initializer_list>
#include <map>
#include <string>
#include <string_view>

namespace workloads::settings {

/// Each setting is asked for once, with what counts where it was not given; `check_all_known` then refuses
/// the others. All throw BadInput, one sentence that names the setting.
class TrainSettings {
 public:
  explicit TrainSettings(const harness::Options& given) : given_(given) {}

  std::int64_t count(std::string_view name, std::int64_t standard, std::int64_t least = 1);
  double factor(std::string_view name, double standard);
  /// One of the words; the first is the standard.
  std::string word(std::string_view name, std::initializer_list<std::string_view> words);
  bool yes(std::string_view name) { return word(name, {"no", "yes"}) == "yes"; }

  void check_all_known() const;

 private:
  const std::string* text(std::string_view name, std::string expected);

  const harness::Options& given_;
  std::map<std::string, std::string, std::less<>> known_;  // what each setting takes
};

}  // namespace workloads::settings
