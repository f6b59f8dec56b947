// What main.cpp hands to each command. A command's `add_...` declares its arguments on a subcommand and sets
// `chosen` when the user names it; main.cpp then runs what was chosen and returns its exit code.
#pragma once

#include "harness/catalogue/catalogue.hpp"
#include "harness/core/published.hpp"

#include <filesystem>
#include <utility>

namespace CLI {
class App;
}

namespace harness::catalogue {

/// A source file of a step, or the step's part of it, embedded when the program was built: the file that it
/// was compiled from, then, for a rung of a workload, those that ask for its switch and the one whose lesson
/// it shares.
struct StepSource {
  std::string_view step;  // the step's id
  std::string_view file;  // relative to the project
  std::string_view text;
  int first_line = 1;  // of the text, in the file
};

/// What the workloads make of their options before a worker starts; empty where they take them as they are.
struct OptionReader {
  /// Puts what a file holds in the place of its name. Throws BadInput where an option is wrong.
  void (*resolve)(Options&) = nullptr;
  /// Why the step cannot run with the options; empty: it can.
  std::string (*why_not)(const Options&, std::string_view step) = nullptr;
};

/// A catalogue that is read where it is first asked for: that takes as long as a small trace's diagnosis.
class LateCatalogue {
 public:
  LateCatalogue(Catalogue catalogue = {}) : catalogue_(std::move(catalogue)) {}
  explicit LateCatalogue(Catalogue (*read)()) : read_(read) {}

  operator const Catalogue&() const { return get(); }
  const Catalogue* operator->() const { return &get(); }

 private:
  const Catalogue& get() const;

  mutable Catalogue (*read_)() = nullptr;
  mutable Catalogue catalogue_;
};

struct Program {
  LateCatalogue catalogue;
  std::span<const StepSource> sources;       // sorted by step
  std::filesystem::path self;                // this program
  std::filesystem::path worker;              // tuneproof-worker, beside it
  std::span<const Claim> other_claims = {};  // published claims that no step covers
  OptionReader options = {};
  std::span<const StepPrices> step_prices = {};
  /// What a file of prices says of the machine whose fingerprint is `place`; null: the program has no prices.
  std::vector<std::string> (*machine_lines)(const std::filesystem::path& file,
                                            std::string_view place) = nullptr;
};

/// Says whether the program has a step of that name. Every step has a source, so the catalogue stays unread.
std::function<bool(std::string_view)> has_step(const Program& program);

/// The exit code is what it returns; BadInput and other exceptions are worded by main.cpp.
using Action = std::function<int()>;

/// The user who names the command chooses that action.
template <class Command>
void choose_by(Command& command, Action& chosen, Action action) {
  command.callback([&chosen, action = std::move(action)] { chosen = action; });
}

}  // namespace harness::catalogue
