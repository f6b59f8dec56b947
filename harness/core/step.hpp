// The vocabulary of the suite: what a step is, and what its record must say, checked by the compiler. Plain
// data; no CUDA, no LibTorch.
#pragma once

#include "harness/core/published.hpp"
#include "harness/core/setup.hpp"

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <initializer_list>
#include <ranges>
#include <span>
#include <variant>
#include <vector>

namespace harness::inline core {

/// The two ways of doing the same work. The optimized form is the one that the tip asks for, so a tip that
/// warns of something has it in the naive form.
enum class Form { naive, optimized };

/// What readers call the two forms, naive first: "pageable -> pinned".
struct Sides {
  std::string_view naive = "without";
  std::string_view optimized = "with";
};

/// How the values of an axis are written: 65536 as "65536" or as "64KiB".
enum class Unit { count, bytes };

/// A few constants, held in place: an axis writes them where they belong.
template <class T>
class Few {
 public:
  static constexpr std::size_t most = 24;
  constexpr Few() = default;
  constexpr Few(std::initializer_list<T> from) : Few(std::span<const T>(from.begin(), from.size())) {}
  /// From an array or a span. Throws std::out_of_range for more than `most`; in a constant that is a
  /// compiler's error.
  template <std::ranges::contiguous_range R>
    requires std::same_as<std::ranges::range_value_t<R>, T>
  constexpr Few(const R& from) : size_(std::size(from)) {
    if (size_ > most) throw std::out_of_range("an axis has too many values");
    std::ranges::copy(from, values_.begin());
  }
  constexpr const T* begin() const { return values_.data(); }
  constexpr const T* end() const { return values_.data() + size_; }
  constexpr std::size_t size() const { return size_; }
  constexpr bool empty() const { return size_ == 0; }
  constexpr const T& operator[](std::size_t i) const { return values_[i]; }

 private:
  std::array<T, most> values_{};
  std::size_t size_ = 0;
};

/// One thing that is varied. Its values are numbers, or places in the list of their labels.
struct Axis {
  std::string_view name;
  std::string_view about;             // what it is and what its labels mean; for `explain`
  Few<std::int64_t> values = {};      // left out: each label's
  Few<std::int64_t> quick = {};       // what `--suite quick` takes; left out: what the full suite does
  Few<std::int64_t> full = {};        // what `--suite full` takes; left out: all of them
  Unit unit = Unit::count;            // of numbers
  Few<std::string_view> labels = {};  // labels[value]

  bool has_labels() const { return !labels.empty(); }
  std::vector<std::int64_t> all_values() const;
  bool is_full(std::int64_t value) const;
  bool is_quick(std::int64_t value) const;
  /// The value as it stands in a row's name.
  std::string text(std::int64_t value) const;
};

/// One value per axis, looked up by name.
struct Coordinate {
  std::string axis;
  std::int64_t value = 0;
  std::string text;  // as it stands in the row's name
  bool operator==(const Coordinate&) const = default;
};
struct Point {
  std::vector<Coordinate> at;
  bool quick = true;
  bool full = true;

  /// The value of the axis; throws std::out_of_range where there is no such axis.
  std::int64_t operator[](std::string_view axis) const;
};

/// What one form computed: raw bytes are compared exactly, numbers within the step's tolerance.
using Answer = std::variant<std::vector<std::byte>, std::vector<float>>;

/// How far two answers may lie apart, relative to the largest absolute value of the naive form's answer.
/// 0 asks for equal bits. A tolerance above 0 needs its reason.
struct Tolerance {
  double relative = 0;
  std::string_view why = {};
};

/// A number that is reported beside the times, for each form: copies per step, error against FP64, s per
/// epoch.
struct Figure {
  std::string name;
  std::string unit;
  double naive = 0;
  double optimized = 0;
};

/// Rows at a point ("unit:epoch", as in a row's name) that take another time than the step's others.
struct RowCost {
  std::string_view at;
  double seconds = 0;
};

/// Which clock times a slot. `wall` waits for the device at both ends; `event` is a pair of CUDA events on
/// the harness's stream.
enum class Timer { wall, event };

/// What is judged: the median time of a slot's runs; in lessons on variability, their 99th percentile as a
/// multiple of their median; in lessons on memory, the first figure of a run, of which less is better.
enum class Statistic { median, tail, figure };

/// One set of buffers (or one pair of models) with both forms prepared on it. In each round the harness makes
/// two sets and swaps them between the quads of a pair, so that an accident of their addresses cancels.
/// The two functions are the timed region and nothing else: allocate, fill and read back outside of them.
struct Trial {
  std::function<void()> naive;
  std::function<void()> optimized;

  /// Makes an earlier answer unreadable and, where a form has state (a model), sets it back to the start.
  std::function<void()> clear;
  /// What the form has computed since `clear`; called once the device has finished.
  std::function<Answer(Form)> answer;
  /// How often a form runs between `clear` and `answer`: 1, or the steps of a loss curve.
  int answer_runs = 1;
  /// What is right, where the step's naive form may be wrong; empty: what the naive form computes.
  std::function<Answer()> truth = {};

  /// Untimed, before each slot of the form: sets back what a slot used up or moved on, so that all do the
  /// same work; empty where nothing is to be done.
  std::function<void(Form)> before_slot = {};
  /// The untimed run that opens a slot, where a whole run would be too dear; empty: the form itself.
  std::function<void(Form)> warm_up = {};
  /// Numbers beside the times, asked for once, when the rehearsal has run both forms; empty: there are none.
  /// With Statistic::figure asked for in each round as well.
  std::function<std::vector<Figure>()> figures = {};

  /// Runs in a slot at most, where only its begin can set back what a run uses up; 0: as many as fit.
  std::int64_t most_runs = 0;
  Timer timer = Timer::wall;
  Statistic statistic = Statistic::median;
  /// A pipelined form: only the whole slot can be timed, since a mark between two runs would serialize them.
  /// Each form then has its own number of runs a slot: a fast one needs more of them to fill its pipeline.
  bool whole_slot = false;
  /// Runs after which a pipelined form begins anew (an epoch's batches): a slot takes a multiple of them, so
  /// that all slots do the same work, unless so many take longer than `multiple_seconds`.
  std::int64_t slot_multiple = 1;
  /// Bytes that one run moves; 0 where a rate says nothing.
  std::size_t bytes_moved = 0;
};

/// Makes one set. A plain function: a step holds no state of its own.
/// Throws Skip where the point cannot run here.
using Prepare = Trial (*)(Setup&, const Point&);

/// False where the values do not make a row on the device: a combination without a meaning, or one that only
/// repeats what another one shows.
using Takes = bool (*)(const Point&, const Device&);

/// Where a step runs: on the host, on a CUDA device, on each of the two as a row of its own, or on the device
/// of the session (`--device`), which is the GPU where there is one.
enum class Runs { host, cuda, each, session };

/// Of a session: which rows it takes where nobody names one; `claims` has one row of each step that is not in
/// the quick suite. Of a step: the smallest suite that has it; `named` is none: it runs when it is named.
enum class Suite { quick, claims, full, named };

/// One tuning tip: the claim, who made it, and the two ways of doing it side by side.
struct Step {
  std::string_view id;              // folder and file: transfer/pinned_h2d lies in transfer/pinned_h2d.cpp
  std::string_view claim;           // one falsifiable sentence
  std::string_view claim_ids = {};  // the ids of claims.md that it covers, separated by blanks
  Sides sides = {};
  Source source;
  Runs runs = Runs::each;
  std::span<const Axis> axes = {};
  Takes takes = nullptr;  // null: all points of the axes are rows
  Prepare prepare = nullptr;
  Expectation expectation;
  std::span<const PublishedFigure> published_profile = {};
  Tolerance tolerance = {};
  /// On a CUDA device instead of `tolerance`, where it is above 0: sums there may have no fixed order.
  Tolerance cuda_tolerance = {};
  /// The smallest change of interest, as a share: docs/measuring.md 5 (0.02 timed by events, 0.03 by the
  /// host).
  double delta = 0.03;
  /// About how long one row takes, in seconds: the rehearsal and `even_rounds`. For `--dry-run` and the first
  /// guess of the time left.
  double row_seconds = 4;
  /// That torch's compiler takes besides for a row's packages, the first time that a machine needs them; of
  /// the rows at `packages_at` ("by:compiler"), or of all where that is empty.
  double package_seconds = 0;
  std::string_view packages_at = {};
  std::span<const RowCost> other_costs = {};
  /// A lesson in correctness: the naive form shows the mistake. Only the optimized form is held against
  /// Trial::truth, and the row says how often either was wrong.
  bool naive_may_be_wrong = false;
  /// The quick suite has 40 rows at most; the axes may leave some of its steps' rows to larger suites.
  Suite suite = Suite::full;
};

/// The tolerance that holds on a device.
inline const Tolerance& tolerance_on(const Step& step, const Device& device) {
  return device.is_cuda() && step.cuda_tolerance.relative > 0 ? step.cuda_tolerance : step.tolerance;
}

using Steps = std::span<const Step* const>;

/// All points of the axes: the Cartesian product, last axis fastest.
std::vector<Point> points(std::span<const Axis> axes);

/// Those of them that are rows of the step on the device.
std::vector<Point> points(const Step& step, const Device& device);

/// "transfer/pinned_h2d/bytes:64KiB", with "/device:cpu" behind it where the step runs on several kinds.
std::string row_name(const Step& step, const Point& point, const Device& device);

/// 65536 -> "64KiB"; sizes that are not whole KiB, MiB or GiB stay plain numbers.
std::string bytes_text(std::int64_t bytes);

/// What the step's source leads one to expect of this point on this device.
Outcome expected_of(const Step& step, const Point& point, const Device& device);

std::string_view to_string(Form form);
std::string_view to_string(Outcome outcome);
std::string_view to_string(Timer timer);

/// The step itself. A record that breaks a rule does not compile, and the compiler shows the rule.
consteval Step checked_but_for_its_source(const Step& step) {
  for (const char c : step.id)
    if (!((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '/'))
      throw "an id is the file's path: small letters, digits, underscores and a slash";
  if (step.id.find('/') == step.id.npos) throw "an id is folder/file";
  if (!step.claim.ends_with('.')) throw "a claim is a sentence";
  if (step.expectation.published.empty()) throw "what was published is a figure or \"no figure\"";
  if (step.sides.naive.empty() || step.sides.optimized.empty() || step.sides.naive == step.sides.optimized)
    throw "the two sides have names of their own";
  if (step.suite == Suite::claims) throw "a step is of the quick suite, of the full one, or of none: named";
  if (step.prepare == nullptr) throw "a step is prepared by a function";
  for (const auto& axis : step.axes)
    if (axis.name.empty() || axis.about.empty() || (axis.values.empty() && axis.labels.empty()))
      throw "an axis has a name, what it is about, and values or labels";
  for (const auto& tolerance : {step.tolerance, step.cuda_tolerance})
    if (tolerance.relative != 0 && tolerance.why.empty()) throw "a tolerance above 0 needs its reason";
  for (const auto& tolerance : {step.tolerance, step.cuda_tolerance})
    if (tolerance.why.ends_with('.')) throw "a tolerance's reason stands inside a sentence: no full stop";
  if (!(step.delta > 0 && step.row_seconds > 0)) throw "delta and row_seconds are above 0";
  return step;
}

/// The same, with the source that a published claim has.
consteval Step checked(const Step& step) {
  if (step.source.title.empty() || step.source.where.empty() || !step.source.url.starts_with("https://"))
    throw "a source has a title, an https address, and a place in it";
  return checked_but_for_its_source(step);
}

}  // namespace harness::inline core
