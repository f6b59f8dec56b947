// Reads JSON strictly: whatever is missing or of the wrong type becomes one sentence that names the place.
#pragma once

#include "harness/core/setup.hpp"
#include "harness/support/read_text.hpp"

#include <nlohmann/json.hpp>

namespace harness::inline support {

using Json = nlohmann::ordered_json;

constexpr int most_rounds = 1'000'000;  // a file with more is not one of ours

/// A value inside a JSON document, and the way to it ("tuneproof.pairs[3].result.ratio"). A view: the
/// document must outlive it.
class Field {
 public:
  Field(const Json& value, std::string path) : value_(&value), path_(std::move(path)) {}

  /// The member; throws BadInput where this is not an object or has no such member.
  Field operator[](std::string_view name) const;
  /// True if this is an object that has the member, and it is not null.
  bool has(std::string_view name) const;
  /// The member where `has` says so.
  std::optional<Field> find(std::string_view name) const;
  /// The entries of an array.
  std::vector<Field> entries() const;
  /// The members of an object; the name is the last part of each path.
  std::vector<std::pair<std::string, Field>> members() const;

  bool is_null() const { return value_->is_null(); }
  std::string text() const;
  bool boolean() const;
  /// A number; null, which stands for one that was not finite, becomes NaN.
  double number() const;
  /// A number above 0, or null, which becomes NaN.
  double positive() const;
  std::int64_t integer() const;
  /// A whole number between the two.
  std::int64_t integer(std::int64_t least, std::int64_t most) const;
  std::uint64_t unsigned_integer() const;
  std::vector<double> numbers() const;
  /// Two numbers, the first not above the second.
  std::pair<double, double> rising_pair() const;
  std::vector<std::int64_t> integers() const;
  std::vector<std::string> texts() const;

  const Json& json() const { return *value_; }
  const std::string& path() const { return path_; }
  /// Throws BadInput: "<path>: <what>".
  [[noreturn]] void reject(std::string_view what) const;

 private:
  const Json* value_;
  std::string path_;
};

/// In the parser's own words, without the name of its exception.
std::string reason_of(const Json::exception& error);

/// Parses text; throws BadInput that begins with `name` and says where it is malformed. No member may be
/// there twice, no object have more than 1000, and no document more than 200 levels.
Json parse_json(std::string_view text, const std::string& name);

/// The number, or null where it is not finite: JSON has no NaN, and readers of our files fail on it.
Json finite(double value);

/// Text on one line; what is no UTF-8 is replaced.
std::string one_line(const Json& json);

/// Indented text, with arrays of plain values on one line each and a newline at the end.
std::string pretty(const Json& json);

/// The JSON document of a file, for which `read_text` and `parse_json` hold. All its texts are made
/// printable, names of members too: whatever is printed of it later moves no cursor.
Json read_json(const std::filesystem::path& file, std::uint64_t most_bytes);

}  // namespace harness::inline support
