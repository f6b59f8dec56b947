// What a JSON document from outside may not be, beside what the parser refuses.
#pragma once

#include "harness/support/field.hpp"

#include <cstddef>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace harness::inline support {

/// A callback of the parser. Refuses what that alone would let through: members that are there twice, of
/// which it keeps one, and documents that are slow or dangerous to walk through.
class JsonGate {
 public:
  explicit JsonGate(std::string name) : name_(std::move(name)) {}

  /// Throws BadInput with the document's name and where known the place.
  bool operator()(int depth, Json::parse_event_t event, Json& parsed);

 private:
  struct Object {
    std::set<std::string> keys;
    std::string last;
  };

  void add(const std::string& key);
  std::string path_of(const std::string& key) const;

  std::string name_;
  std::vector<Object> around_;  // the objects around the place
  std::size_t lists_ = 0;
  std::size_t values_ = 0;
};

}  // namespace harness::inline support
