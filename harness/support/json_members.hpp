// One list of a struct's members, by which it is written as JSON and read again. The list hands each member
// to a visitor, in the order of the file: each("size", leaf.size, whole(1, 9)).
#pragma once

#include "harness/core/setup.hpp"
#include "harness/support/field.hpp"

#include <array>
#include <utility>

namespace harness::inline support {

/// How a value becomes JSON, and how it is read again: reading throws BadInput, which names the field.
template <class Write, class Read>
struct Way {
  Write write;
  Read read;
};
template <class Write, class Read>
Way(Write, Read) -> Way<Write, Read>;  // clang 14 deduces none for an aggregate

/// What needs no way of its own.
template <class T>
Json json_of(const T& value) {
  return value;
}
inline Json json_of(double value) { return finite(value); }
Json json_of(const std::vector<double>& values);
template <class T>
Json json_of(const std::optional<T>& value) {
  return value ? json_of(*value) : Json(nullptr);
}
inline void read_into(bool& value, const Field& field) { value = field.boolean(); }
inline void read_into(double& value, const Field& field) { value = field.number(); }
inline void read_into(std::int64_t& value, const Field& field) { value = field.integer(); }
inline void read_into(std::uint64_t& value, const Field& field) { value = field.unsigned_integer(); }
inline void read_into(std::string& value, const Field& field) { value = field.text(); }
inline void read_into(std::vector<double>& values, const Field& field) { values = field.numbers(); }
inline void read_into(std::vector<std::int64_t>& values, const Field& field) { values = field.integers(); }
inline void read_into(std::vector<std::string>& values, const Field& field) { values = field.texts(); }
void read_into(std::vector<int>& values, const Field& field);
void read_into(Options& options, const Field& field);
template <class T>
void read_into(std::optional<T>& value, const Field& field) {
  value.reset();
  if (!field.is_null()) read_into(value.emplace(), field);
}

/// A whole number between the two.
constexpr auto whole(std::int64_t least, std::int64_t most) {
  return Way{[](std::int64_t value) { return value; },
             [=](const Field& field) { return field.integer(least, most); }};
}

/// One of the values, by its name in `to_string`; `kind` ends the refusal: "is not a timer".
template <class T, std::size_t N>
constexpr auto word_of(const std::array<T, N>& values, std::string_view kind) {
  return Way{[](T value) { return to_string(value); },
             [=](const Field& field) {
               const auto text = field.text();
               for (const auto value : values)
                 if (to_string(value) == text) return value;
               field.reject("'" + text + "' " + std::string(kind));
             }};
}

/// "cuda:0".
Device device_from(const Field& field);
inline constexpr Way as_device{[](const Device& device) { return to_string(device); }, device_from};

/// A list, each entry in that way.
template <class Write, class Read>
constexpr auto list_of(const Way<Write, Read>& one) {
  return Way{[one](const auto& values) {
               auto json = Json::array();
               for (const auto& value : values) json.push_back(one.write(value));
               return json;
             },
             [one](const Field& list) {
               std::vector<decltype(one.read(list))> values;
               for (const auto& entry : list.entries()) values.push_back(one.read(entry));
               return values;
             }};
}

/// Text, a number or a list as it stands; `read` knows what it may be.
template <class Read>
constexpr auto checked_by(const Read& read) {
  return Way{[](const auto& value) { return json_of(value); }, read};
}

/// Visits the members of a struct to write them.
class JsonWriter {
 public:
  template <class T>
  void operator()(const char* name, const T& value) {
    json_[name] = json_of(value);
  }
  template <class T, class Write, class Read>
  void operator()(const char* name, const T& value, const Way<Write, Read>& way) {
    json_[name] = way.write(value);
  }
  template <class T, class Write, class Read>
  void operator()(const char* name, const std::optional<T>& value, const Way<Write, Read>& way) {
    json_[name] = value ? Json(way.write(*value)) : Json(nullptr);
  }
  /// What files of earlier versions lack: it is as the struct has it then.
  template <class... Rest>
  void since(const char* name, const Rest&... rest) {
    (*this)(name, rest...);
  }
  /// What is left out where it is as usual.
  template <class T, class... Rest>
  void unless(const T& usual, const char* name, const T& value, const Rest&... way) {
    if (value != usual) (*this)(name, value, way...);
  }
  /// What is left out where it says nothing: false, zero, empty.
  template <class T, class... Rest>
  void if_any(const char* name, const T& value, const Rest&... way) {
    unless(T{}, name, value, way...);
  }
  template <class T, class... Rest>
  void if_any(const char* name, const std::optional<T>& value, const Rest&... way) {
    if (value) (*this)(name, value, way...);
  }
  /// What only other programs read.
  template <class T>
  void for_others(const char* name, const T& value) {
    json_[name] = value;
  }
  /// A word that every file has.
  void fixed(const char* name, std::string_view word) { json_[name] = word; }
  /// An object in the file, not in the struct.
  template <class List>
  void within(const char* name, const List& list) {
    JsonWriter inner;
    list(inner);
    json_[name] = std::move(inner).json();
  }

  Json json() && { return std::move(json_); }

 private:
  Json json_ = Json::object();
};

/// Visits the members of a struct to read them.
class JsonReader {
 public:
  explicit JsonReader(Field from) : from_(std::move(from)) {}

  template <class T>
  void operator()(const char* name, T& value) {
    read_into(value, from_[name]);
  }
  template <class T, class Write, class Read>
  void operator()(const char* name, T& value, const Way<Write, Read>& way) {
    value = static_cast<T>(way.read(from_[name]));
  }
  template <class T, class Write, class Read>
  void operator()(const char* name, std::optional<T>& value, const Way<Write, Read>& way) {
    const auto field = from_[name];
    value = field.is_null() ? std::nullopt : std::optional<T>(static_cast<T>(way.read(field)));
  }
  template <class... Rest>
  void since(const char* name, Rest&&... rest) {
    if (from_.has(name)) (*this)(name, std::forward<Rest>(rest)...);
  }
  template <class T, class... Rest>
  void unless(const T& /*usual*/, Rest&&... rest) {
    since(std::forward<Rest>(rest)...);
  }
  template <class... Rest>
  void if_any(Rest&&... rest) {
    since(std::forward<Rest>(rest)...);
  }
  template <class T>
  void for_others(const char* /*name*/, const T& /*value*/) {}
  void fixed(const char* name, std::string_view word) {
    if (const auto text = from_[name].text(); text != word) from_[name].reject("'" + text + "' is unknown");
  }
  template <class List>
  void within(const char* name, const List& list) {
    JsonReader inner(from_[name]);
    list(inner);
  }

 private:
  Field from_;
};

/// Visits the members of a struct for their names.
class JsonNames {
 public:
  template <class... Rest>
  void operator()(const char* name, const Rest&... /*rest*/) {
    names_.emplace_back(name);
  }
  template <class... Rest>
  void since(const char* name, const Rest&... /*rest*/) {
    names_.emplace_back(name);
  }
  template <class... Rest>
  void if_any(const char* name, const Rest&... /*rest*/) {
    names_.emplace_back(name);
  }
  template <class T, class... Rest>
  void unless(const T& /*usual*/, const char* name, const Rest&... /*rest*/) {
    names_.emplace_back(name);
  }

  std::vector<std::string_view> names() && { return std::move(names_); }

 private:
  std::vector<std::string_view> names_;
};

template <class List, class T>
Json json_by(const List& list, const T& value) {
  JsonWriter each;
  list(each, value);
  return std::move(each).json();
}

template <class T, class List>
T read_by(const List& list, const Field& field) {
  T value{};
  JsonReader each(field);
  list(each, value);
  return value;
}

template <class T, class List>
std::vector<std::string_view> names_by(const List& list) {
  const T value{};
  JsonNames each;
  list(each, value);
  return std::move(each).names();
}

/// The way of a struct that has such a list.
template <class T, class List>
constexpr auto by(const List& list) {
  return Way{[list](const T& value) { return json_by(list, value); },
             [list](const Field& field) { return read_by<T>(list, field); }};
}

}  // namespace harness::inline support
