#include "harness/compare/across.hpp"

#include "harness/core/setup.hpp"
#include "harness/support/text.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace harness::compare {
namespace {

struct Treatment {
  Across across;
  std::string_view word;
  std::array<std::string_view, 2> fields;
};

constexpr Treatment known_treatments[] = {
    {Across::driver, "driver", {"software.driver", "software.cuda_driver"}},
    {Across::libtorch, "libtorch", {"software.libtorch"}},
    {Across::cuda, "cuda", {"software.cuda_runtime"}},
    {Across::compiler, "compiler", {"software.compiler"}},
    {Across::flags, "flags", {"software.flags"}},
};

bool concerns(const Treatment& treatment, std::string_view field) {
  return std::ranges::find(treatment.fields, field) != treatment.fields.end();
}

Across across_of(const std::string& word) {
  std::vector<std::string> words;
  for (const auto& treatment : known_treatments) {
    if (treatment.word == word) return treatment.across;
    words.emplace_back(treatment.word);
  }
  throw BadInput(fmt::format("--across {}: expected one of {}", word, join_or(words)));
}

}  // namespace

std::string to_string(Across across) {
  const auto found = std::ranges::find(known_treatments, across, &Treatment::across);
  return std::string(found->word);
}

CLI::Option* declare(CLI::App& command, std::vector<Across>& across) {
  return command
      .add_option_function<std::vector<std::string>>(
          "--across",
          [&across](const std::vector<std::string>& words) {
            for (const auto& word : words) across.push_back(across_of(word));
          },
          "Compare although this differs: driver, libtorch, cuda, compiler or flags; several: libtorch,cuda")
      ->type_name("WHAT")
      ->delimiter(',')
      ->allow_extra_args(false);
}

bool is_treatment(const std::string& field, const std::vector<Across>& across) {
  return std::ranges::any_of(known_treatments, [&](const Treatment& treatment) {
    return concerns(treatment, field) && std::ranges::find(across, treatment.across) != across.end();
  });
}

std::string across_options(const std::vector<std::string>& fields) {
  std::string options;
  for (const auto& treatment : known_treatments)
    if (std::ranges::any_of(fields, [&](const std::string& field) { return concerns(treatment, field); }))
      options += fmt::format(" --across {}", treatment.word);
  return options;
}

}  // namespace harness::compare
