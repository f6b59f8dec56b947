#include "harness/core/step.hpp"

#include <numeric>

namespace harness::inline core {
namespace {

/// The parts between the separators, without empty ones.
std::vector<std::string_view> parts(std::string_view text, char separator) {
  std::vector<std::string_view> found;
  while (!text.empty()) {
    const auto end = std::min(text.find(separator), text.size());
    if (end > 0) found.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return found;
}

/// True where the point lies at one of the places: "bytes:4MiB" are all points with that coordinate,
/// "bytes:4MiB/memory:pinned" those with both, "device:cuda" those on a GPU.
bool lies_at(const Point& point, const Device& device, std::string_view places) {
  const auto is_at = [&](std::string_view one) {
    if (one == (device.is_cuda() ? "device:cuda" : "device:cpu")) return true;
    return std::ranges::any_of(point.at, [&](const Coordinate& c) { return one == c.axis + ":" + c.text; });
  };
  return std::ranges::any_of(parts(places, ' '), [&](std::string_view joined) {
    return std::ranges::all_of(parts(joined, '/'), is_at);
  });
}

}  // namespace

std::vector<std::int64_t> Axis::all_values() const {
  if (!values.empty()) return {values.begin(), values.end()};
  std::vector<std::int64_t> each(labels.size());
  std::iota(each.begin(), each.end(), 0);
  return each;
}

bool Axis::is_full(std::int64_t value) const {
  return full.empty() || std::ranges::find(full, value) != full.end();
}

bool Axis::is_quick(std::int64_t value) const {
  return is_full(value) && (quick.empty() || std::ranges::find(quick, value) != quick.end());
}

std::string Axis::text(std::int64_t value) const {
  if (has_labels()) return std::string(labels[static_cast<std::size_t>(value)]);
  return unit == Unit::bytes ? bytes_text(value) : std::to_string(value);
}

std::int64_t Point::operator[](std::string_view axis) const {
  for (const auto& c : at)
    if (c.axis == axis) return c.value;
  throw std::out_of_range("no axis named '" + std::string(axis) + "'");
}

std::vector<Point> points(std::span<const Axis> axes) {
  std::vector<Point> all{{}};
  for (const auto& axis : axes) {
    std::vector<Point> longer;
    for (const auto& point : all)
      for (const auto value : axis.all_values()) {
        auto next = point;
        next.at.push_back({std::string(axis.name), value, axis.text(value)});
        next.quick = point.quick && axis.is_quick(value);
        next.full = point.full && axis.is_full(value);
        longer.push_back(std::move(next));
      }
    all = std::move(longer);
  }
  return all;
}

std::vector<Point> points(const Step& step, const Device& device) {
  auto all = points(step.axes);
  if (step.takes != nullptr) std::erase_if(all, [&](const Point& p) { return !step.takes(p, device); });
  return all;
}

std::string row_name(const Step& step, const Point& point, const Device& device) {
  std::string name(step.id);
  for (const auto& c : point.at) name += "/" + c.axis + ":" + c.text;
  const bool several = step.runs == Runs::each || step.runs == Runs::session;
  if (several) name += device.is_cuda() ? "/device:cuda" : "/device:cpu";
  return name;
}

std::string bytes_text(std::int64_t bytes) {
  constexpr std::string_view suffixes[] = {"", "KiB", "MiB", "GiB"};
  std::size_t power = 0;
  while (bytes != 0 && bytes % 1024 == 0 && power + 1 < std::size(suffixes)) {
    bytes /= 1024;
    ++power;
  }
  return std::to_string(bytes) + std::string(suffixes[power]);
}

Outcome expected_of(const Step& step, const Point& point, const Device& device) {
  const auto lies = [&](std::string_view places) { return lies_at(point, device, places); };
  const auto& said = step.expectation;
  if (lies(said.hurts_at)) return Outcome::hurts;
  if ((!said.about.empty() && !lies(said.about)) || lies(said.except)) return Outcome::depends;
  const bool about_a_device = step.runs == Runs::each || step.runs == Runs::session;
  return about_a_device && !device.is_cuda() ? step.expectation.on_cpu : step.expectation.outcome;
}

std::string_view to_string(Form form) { return form == Form::naive ? "naive" : "optimized"; }

std::string_view to_string(Outcome outcome) {
  switch (outcome) {
    case Outcome::helps:
      return "helps";
    case Outcome::no_effect:
      return "no effect";
    case Outcome::hurts:
      return "hurts";
    case Outcome::depends:
      break;
  }
  return "depends";
}

std::string_view to_string(Timer timer) { return timer == Timer::wall ? "wall" : "event"; }

}  // namespace harness::inline core
