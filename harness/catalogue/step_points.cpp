#include "harness/catalogue/step_points.hpp"

namespace harness::catalogue {
namespace {

/// `mark` stands behind the point.
struct Marked {
  std::string point;
  std::string mark;
  bool on_cpu = false;
};

std::vector<Marked> marked_points(const Step& step) {
  std::vector<Marked> all;
  for (const auto& row : step.rows) {
    std::string point;
    for (const auto& c : row.at) point += (point.empty() ? "" : "/") + c.axis + ":" + c.text;
    auto known = std::ranges::find(all, point, &Marked::point);
    if (known == all.end()) known = all.insert(known, {point, row.quick ? "" : row.full ? "*" : "**"});
    known->on_cpu = known->on_cpu || row.device == Device::Kind::cpu;
  }
  return all;
}

}  // namespace

std::string points_text(const Step& step) {
  const bool both = step.runs == Runs::each || step.runs == Runs::session;
  std::string text;
  for (const auto& [point, mark, on_cpu] : marked_points(step))
    text += (text.empty() ? "" : ", ") + (point.empty() ? "one" : point) + mark +
            (both && !on_cpu ? " (CUDA)" : "");
  if (text.find('*') != text.npos) text += " (* not in --suite quick";
  if (text.find("**") != text.npos) text += "; ** in no suite; select it by name or --point";
  return text + (text.find('*') == text.npos ? "" : ")");
}

}  // namespace harness::catalogue
