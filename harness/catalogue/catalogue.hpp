// What steps there are, without loading one of them: the worker writes its table as JSON when it is built,
// and the program embeds that text. So `list`, `explain` and `--help` start at once and need no LibTorch.
#pragma once

#include "harness/core/step.hpp"

#include <nlohmann/json_fwd.hpp>

namespace harness::catalogue {

/// A step at a point on a kind of device, before it is measured.
struct Row {
  std::string name;
  std::vector<Coordinate> at;
  Device::Kind device = Device::Kind::cpu;
  bool quick = true;
  Outcome expected = Outcome::depends;  // of the source, on this device
  double seconds = 0;                   // about how long it takes
  bool full = true;                     // of the full suite; else only by its name, or by --point
  double package_seconds = 0;           // besides, where torch's compiler has not made its packages yet
  bool claims = false;                  // of the suite of that name
};

/// What an axis of a step is.
struct Axis {
  std::string name, about;
};

/// A column of the source's profile; see PublishedFigure.
struct Figure {
  std::string name, unit, where;
  double before = 0;
  std::optional<double> after;
  bool operator==(const Figure&) const = default;
};

/// The text of a Step, and its rows. `file` is the source it was compiled from, relative to the project; the
/// worker does not know it, the program fills it in from what was embedded beside the catalogue.
struct Step {
  std::string id, claim, claim_ids, naive, optimized, source_title, source_url, source_where, published,
      about, tolerance_why, cuda_tolerance_why, file;
  Outcome expected = Outcome::depends;
  Runs runs = Runs::each;
  double tolerance = 0;
  double cuda_tolerance = 0;  // on a CUDA device instead, where it is above 0
  double delta = 0;
  bool naive_may_be_wrong = false;  // a lesson in correctness
  std::vector<Axis> axes;
  std::vector<Row> rows;
  std::vector<Figure> published_profile;
};

/// An option of a workload: "--scale FACTOR". `steps` has patterns of the rows that read it, with blanks
/// between them. Each ends in a `*` even where it is not written: "gpt/" is "gpt/*".
struct Option {
  std::string name, value, meaning, steps;
};

struct Catalogue {
  std::vector<Step> steps;
  std::vector<Option> options;
};

/// The catalogue of a step table. A step with rows on two kinds of device has those on the CPU first.
Catalogue catalogue_of(Steps steps, std::vector<Option> options);

/// An outcome of the step's rows in words: "helps"; of a trap, which compares two timers, "too much".
std::string_view outcome_text(const Step& step, Outcome outcome);

/// What is expected of the step, in words; of a lesson in correctness "a wrong answer, cured".
std::string_view expected_text(const Step& step);

/// About how long the row takes; 0 where the catalogue does not have it.
double row_seconds(const Catalogue& catalogue, std::string_view step, std::string_view row);
/// What making its packages takes besides, once; 0 where the catalogue does not have it.
double package_seconds(const Catalogue& catalogue, std::string_view step, std::string_view row);

/// The JSON text of a catalogue: what `tuneproof-worker --catalogue` prints.
std::string catalogue_json(const Catalogue& catalogue);
std::string catalogue_json(Steps steps, const std::vector<Option>& options);
/// One step of it, rows included.
nlohmann::ordered_json step_json(const Step& step);

/// "host", "cuda", "each" or "session".
std::string_view to_string(Runs runs);

/// Reads that text; throws BadInput where it is malformed.
Catalogue parse_catalogue(std::string_view json);

/// Each point once; behind it "*" where the quick suite leaves it out, "**" where each suite does, and
/// "(CUDA)" where a step of both kinds of devices has no row of it on the CPU. "one" where there are no axes.
std::string points_text(const Step& step);

}  // namespace harness::catalogue
