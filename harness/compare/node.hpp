// Reads large JSON strictly and without copies: whatever is missing, doubled or of the wrong type becomes one
// sentence that names the place. For files that others wrote; what is small is read through record/field.hpp.
#pragma once

#include <simdjson.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace harness::compare {

/// A value inside a document, and the way to it. A view: the document must outlive it.
class Node {
 public:
  Node(simdjson::dom::element value, std::string path) : value_(value), path_(std::move(path)) {}

  /// The member; throws BadInput where this is no object, has no such member or has it twice.
  Node operator[](std::string_view name) const;
  /// The member where this is an object that has it, and it is not null.
  std::optional<Node> find(std::string_view name) const;
  std::vector<Node> entries() const;
  std::vector<std::pair<std::string, Node>> members() const;

  std::string text() const;
  /// A finite number; null, which stands for one that was not finite, becomes NaN.
  double number() const;
  /// A whole number between the two.
  std::int64_t integer(std::int64_t least, std::int64_t most) const;
  std::vector<double> numbers() const;
  std::vector<std::string> texts() const;
  /// The value as JSON text; throws BadInput where it is longer than `most` bytes.
  std::string json(std::size_t most) const;

  const std::string& path() const { return path_; }
  /// Throws BadInput: "<path>: <what>".
  [[noreturn]] void reject(std::string_view what) const;

 private:
  simdjson::dom::element value_;
  std::string path_;
};

/// A parsed file.
class Document {
 public:
  /// Reads a plain or gzip file of at most `most_bytes` unpacked. Throws BadInput, one sentence, for anything
  /// that is no JSON: broken off, nested deeper than 32, with NaN or a number beyond a double.
  Document(const std::filesystem::path& file, std::uint64_t most_bytes);
  /// The same for text in memory; `name` stands for the file in messages.
  Document(std::string_view text, std::string name);

  Node root() const { return {root_, name_}; }

 private:
  void parse(const char* text, std::size_t size, bool padded);

  simdjson::dom::parser parser_;
  simdjson::dom::element root_;
  std::string name_;
};

}  // namespace harness::compare
