#include "harness/simulate/bounds.hpp"

#include "harness/simulate/published_figures.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace harness::simulate {
namespace {

/// Commands of each sort that run at one time.
struct Running {
  int in = 0, out = 0, kernels = 0;

  void add(const Running& change) {
    in += change.in;
    out += change.out;
    kernels += change.kernels;
  }
  bool are_both(Overlap overlap) const {
    return overlap == Overlap::both_ways ? in > 0 && out > 0 : in + out > 0 && kernels > 0;
  }
};

Running one_of(Engine engine, int change) {
  return {.in = engine == Engine::to_device ? change : 0,
          .out = engine == Engine::to_host ? change : 0,
          .kernels = engine == Engine::multiprocessors ? change : 0};
}

/// Errors of which each is independent of the others, as logarithms.
class Spread {
 public:
  explicit Spread(double middle) : middle_(middle) {}

  /// What one error makes of the number at its ends.
  void add(const std::vector<double>& shifted) {
    double up = 0;
    double down = 0;
    for (const auto number : shifted) {
      const auto change = std::log(number / middle_);
      up = std::max(up, change);
      down = std::max(down, -change);
    }
    up_ += up * up;
    down_ += down * down;
  }
  Interval interval() const {
    return {middle_ * std::exp(-std::sqrt(down_)), middle_ * std::exp(std::sqrt(up_))};
  }

 private:
  double middle_;
  double up_ = 0, down_ = 0;  // sums of squares
};

Timeline line_of(const FormRecord& form, const Gpu& gpu, const Shift& shift = {}) {
  return play(schedule_of(form, gpu, shift), shifted(rules_of(gpu), shift));
}

double end_of(const Timeline& line) { return seconds(line.end); }

/// What makes calls alike: the same work, wherever and however often it is asked for.
std::string work_of(const Entry& entry) {
  auto work = fmt::format("{} {} {} {} {} {} {} {} {} {} {} {}", static_cast<int>(entry.does), entry.name,
                          entry.bytes, entry.fresh, entry.sorted, entry.flop, entry.unit, entry.us,
                          entry.as_copy, entry.blocks, entry.way, entry.pageable);
  for (const auto& node : entry.nodes) work += fmt::format(" {}x({})", node.times, work_of(node));
  return work;
}

std::set<std::string> works_of(const FormRecord& form) {
  std::set<std::string> works;
  for (const auto& entry : form.entries) works.insert(work_of(entry));
  return works;
}

/// Of each call of the form, whether the other one makes it too.
std::vector<bool> shared_calls(const FormRecord& form, const FormRecord& other) {
  const auto works = works_of(other);
  std::vector<bool> shared;
  for (const auto& entry : form.entries) shared.push_back(works.contains(work_of(entry)));
  return shared;
}

/// A row's two forms, and what they have in common.
struct Two {
  const FormRecord& first;
  const FormRecord& last;
  std::vector<bool> shared_of_first = shared_calls(first, last);
  std::vector<bool> shared_of_last = shared_calls(last, first);
};

std::vector<bool> others(std::vector<bool> calls) {
  calls.flip();
  return calls;
}

Interval ratio_interval(const RowRecord& row, const Gpu& gpu, const ModelErrors& errors) {
  const Two two{row.forms.front(), row.forms.back()};
  const auto first = line_of(two.first, gpu), last = line_of(two.last, gpu);
  Spread spread(end_of(last) / end_of(first));
  for (const auto& [kind, range] : errors.kinds) {
    std::vector<double> of_shared, of_first, of_last;
    for (const auto factor : {range.lowest, range.highest}) {
      const auto end = [&](const FormRecord& form, const std::vector<bool>& calls, bool waits) {
        return end_of(line_of(form, gpu, {kind, 1 / factor, &calls, waits}));
      };
      of_shared.push_back(end(two.last, two.shared_of_last, true) /
                          end(two.first, two.shared_of_first, true));
      of_first.push_back(end_of(last) / end(two.first, others(two.shared_of_first), false));
      of_last.push_back(end(two.last, others(two.shared_of_last), false) / end_of(first));
    }
    for (const auto& numbers : {of_shared, of_first, of_last}) spread.add(numbers);
  }
  for (const auto& [overlap, range] : errors.overlaps) {
    const auto longer = [&](const Timeline& line, double lost) {
      return end_of(line) + lost * seconds(overlapped(line, overlap));
    };
    spread.add({longer(last, range.lowest) / longer(first, range.lowest),
                longer(last, range.highest) / longer(first, range.highest)});
  }
  return spread.interval();
}

/// As published_figures.json calls it.
std::string_view name_of(Kind kind) {
  switch (kind) {
    case Kind::host:
      return "launches";
    case Kind::product:
      return "products";
    case Kind::memory:
      return "memory-bound kernels";
    case Kind::pinned:
      return "pinned copies";
    case Kind::pageable:
      break;
  }
  return "pageable copies";
}

std::string_view name_of(Overlap overlap) {
  return overlap == Overlap::both_ways ? "copies both ways" : "chunked copies";
}

}  // namespace

Nanoseconds overlapped(const Timeline& line, Overlap overlap) {
  std::map<Nanoseconds, Running> changes;
  for (const auto& span : line.device) {
    changes[span.begin].add(one_of(span.engine, 1));
    changes[span.end].add(one_of(span.engine, -1));
  }
  Nanoseconds sum = 0;
  Nanoseconds before = 0;
  Running running;
  for (const auto& [time, change] : changes) {
    if (running.are_both(overlap)) sum += time - before;
    running.add(change);
    before = time;
  }
  return sum;
}

Interval form_interval(const FormRecord& form, const Gpu& gpu, const ModelErrors& errors,
                       const std::function<double(const Timeline&)>& seconds_of) {
  const auto line = line_of(form, gpu);
  const auto middle = seconds_of(line);
  Spread spread(middle);
  for (const auto& [kind, range] : errors.kinds)
    spread.add({seconds_of(line_of(form, gpu, {kind, 1 / range.lowest})),
                seconds_of(line_of(form, gpu, {kind, 1 / range.highest}))});
  for (const auto& [overlap, range] : errors.overlaps) {
    const auto both = seconds(overlapped(line, overlap));
    spread.add({middle + range.lowest * both, middle + range.highest * both});
  }
  return spread.interval();
}

RowIntervals row_intervals(const RowRecord& row, const Gpu& gpu, const ModelErrors& errors) {
  RowIntervals intervals;
  for (const auto& form : row.forms) intervals.forms.push_back(form_interval(form, gpu, errors, end_of));
  intervals.ratio = ratio_interval(row, gpu, errors);
  return intervals;
}

void ErrorRange::take(double error) {
  lowest = figures == 0 ? error : std::min(lowest, error);
  highest = figures == 0 ? error : std::max(highest, error);
  ++figures;
}

ModelErrors known_errors() {
  ModelErrors errors;
  for (const auto& [figure, simulated, factor, line] : judge_figures(published_figures())) {
    if (figure.judges) continue;
    for (const auto kind : kinds)
      if (figure.kind == name_of(kind)) errors.kinds[kind].take(factor);
    for (const auto overlap : overlaps)
      if (const auto time = overlapped(line, overlap); figure.kind == name_of(overlap) && time > 0)
        errors.overlaps[overlap].take(seconds_of(figure, line) * (1 / factor - 1) / seconds(time));
  }
  return errors;
}

}  // namespace harness::simulate
