#include "harness/support/json_gate.hpp"

#include "harness/core/setup.hpp"

#include <fmt/format.h>

namespace harness::inline support {
namespace {

constexpr int most_levels = 200;            // what walks through a document does so level by level
constexpr std::size_t most_members = 1000;  // of one object: each new one is looked for among the others
constexpr std::size_t longest_path = 120;   // that a message repeats
// Each takes many times the memory that its text does, and where that ends the parser cannot go back.
constexpr std::size_t most_lists = 1'000'000;  // and objects
constexpr std::size_t most_values = 20'000'000;

}  // namespace

bool JsonGate::count_value() {
  ++values_;
  require_few();
  return true;
}

bool JsonGate::begin_list() {
  if (levels_ >= most_levels)
    throw BadInput(fmt::format("{}: nested deeper than {} levels", name_, most_levels));
  ++levels_;
  ++lists_;
  require_few();
  return true;
}

bool JsonGate::end_list() {
  --levels_;
  return true;
}

bool JsonGate::start_object(std::size_t /*size*/) {
  around_.emplace_back();
  return begin_list();
}

bool JsonGate::end_object() {
  around_.pop_back();
  return end_list();
}

bool JsonGate::key(std::string& name) {
  auto& object = around_.back();
  if (!object.keys.insert(name).second)
    throw BadInput(fmt::format("{}: duplicate key '{}'", name_, path_of(name)));
  if (object.keys.size() > most_members)
    throw BadInput(fmt::format("{}: an object has more than {} members", name_, most_members));
  object.last = name;
  return true;
}

void JsonGate::require_few() const {
  if (lists_ > most_lists || values_ > most_values)
    throw BadInput(fmt::format("{}: has more than {} values or {} lists", name_, most_values, most_lists));
}

/// The members that lead there, without the places in lists: "model.mp_layers.act".
std::string JsonGate::path_of(const std::string& key) const {
  std::string path;
  for (std::size_t i = 0; i + 1 < around_.size(); ++i) path.append(around_[i].last).append(".");
  path += key;
  if (path.size() <= longest_path) return path;
  return path.replace(0, path.size() - longest_path, "... ");
}

}  // namespace harness::inline support
