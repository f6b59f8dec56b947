// Options of the workloads whose values are numbers, and what `tuneproof train` was asked to do otherwise,
// "workers=2", by name and as text. No LibTorch.
#pragma once

#include "harness/core/setup.hpp"

#include <initializer_list>
#include <optional>

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

/// What `--name` says, or `otherwise` where it was not given. Throws BadInput unless it is a whole number
/// from 1 to 1000000.
std::int64_t count_option(const harness::Options& options, std::string_view name, std::int64_t otherwise);

/// The bytes that `--name` says; nothing where it was not given. Throws BadInput unless it is a size above 0.
std::optional<std::int64_t> size_option(const harness::Options& options, std::string_view name);

/// Throws BadInput where one of the workloads' numbers is none, before a worker starts.
void check_numbers(const harness::Options& options);

}  // namespace workloads::settings
