// What the source of a tip says, what became of a claim that no step covers, and which prices bear on steps.
// Plain data.
#pragma once

#include <optional>
#include <string_view>

namespace harness::inline core {

/// Where the tip was published, precise enough to open and check.
struct Source {
  std::string_view title;
  std::string_view url;
  std::string_view where;  // section, step or commit
};

/// What the source says will happen.
enum class Outcome { helps, no_effect, hurts, depends };

/// The published claim. `published` is the figure in the source's own unit with its hardware, or "no figure".
struct Expectation {
  Outcome outcome;
  std::string_view published;
  /// What the source says of the host's rows of a tip about a device, where the step has such rows: mostly
  /// nothing.
  Outcome on_cpu = Outcome::depends;
  /// The points that the source speaks of, as in a row's name ("against:below"), separated by blanks; of
  /// others nothing is expected.
  std::string_view about = {};
  /// Points among them where the lesson says that the tip does not matter: nothing is expected there either.
  std::string_view except = {};
  /// Points of which the source says that the optimized form hurts there.
  std::string_view hurts_at = {};
};

/// A column of the source's profile, before and after the change, each over the source's whole run.
struct PublishedFigure {
  std::string_view name;
  std::string_view unit;  // "s" or "calls"
  double before = 0;      // 0: not published
  std::optional<double> after = {};
  std::string_view where;  // hardware and what was run
};

/// finding: `diagnose` says it of a trace, or another command of the machine. refused: it cannot be built
/// honestly in C++. planned: nothing stands against it but time.
enum class ClaimFate { finding, refused, planned };

struct Claim {
  std::string_view id;
  ClaimFate fate;
  std::string_view what;  // where it is found, or why there is no step
};

/// `steps` is how the ids begin, or how they end where it begins with '*'; of several entries that fit, the
/// longest holds. `rows` are names of prices without "prices/", separated by blanks; a '*' at the end stands
/// for any rest. Empty: no price concerns them.
struct StepPrices {
  std::string_view steps;
  std::string_view rows;
};

}  // namespace harness::inline core
