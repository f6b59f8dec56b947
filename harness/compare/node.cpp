#include "harness/compare/node.hpp"

#include "harness/core/setup.hpp"
#include "harness/trace/text.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <limits>
#include <utility>

namespace harness::compare {
namespace {

using simdjson::dom::element;
using simdjson::dom::element_type;

constexpr std::size_t deepest = 32;
constexpr std::size_t longest_message = 200;

std::string_view kind(element value) {
  switch (value.type()) {
    case element_type::ARRAY:
      return "an array";
    case element_type::OBJECT:
      return "an object";
    case element_type::STRING:
      return "a text";
    case element_type::BOOL:
      return "true or false";
    case element_type::NULL_VALUE:
      return "null";
    default:
      return "a number";
  }
}

std::string wrong(std::string_view wanted, element value) {
  return fmt::format("{} is expected, not {}", wanted, kind(value));
}

/// Where and why a text is no JSON. simdjson does not say where; this reads once more and keeps nothing.
class Complaint : public nlohmann::json_sax<nlohmann::json> {
 public:
  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(number_integer_t) override { return true; }
  bool number_unsigned(number_unsigned_t) override { return true; }
  bool number_float(number_float_t, const string_t&) override { return true; }
  bool string(string_t&) override { return true; }
  bool binary(binary_t&) override { return true; }
  bool start_object(std::size_t) override { return deeper(); }
  bool key(string_t&) override { return true; }
  bool end_object() override { return --depth_ >= 0; }
  bool start_array(std::size_t) override { return deeper(); }
  bool end_array() override { return --depth_ >= 0; }
  bool parse_error(std::size_t, const std::string&, const nlohmann::json::exception& error) override {
    const std::string what = error.what();  // "[json.exception.parse_error.101] parse error at line 1, ..."
    const auto end_of_tag = what.find("] ");
    text = (end_of_tag == std::string::npos ? what : what.substr(end_of_tag + 2)).substr(0, longest_message);
    return false;
  }

  std::string text;

 private:
  bool deeper() {
    if (++depth_ <= static_cast<int>(deepest)) return true;
    text = fmt::format("nested deeper than {} levels", deepest);
    return false;
  }
  int depth_ = 0;
};

std::string complaint(const char* text, std::size_t size, simdjson::error_code error) {
  Complaint handler;
  const std::string_view view(text, size);
  nlohmann::json::sax_parse(view.begin(), view.end(), &handler);
  return handler.text.empty() ? simdjson::error_message(error) : handler.text;
}

}  // namespace

void Node::reject(std::string_view what) const { throw BadInput(fmt::format("{}: {}", path_, what)); }

std::optional<Node> Node::find(std::string_view name) const {
  if (!value_.is_object()) reject(wrong("an object", value_));
  std::optional<element> found;
  const simdjson::dom::object object = value_.get_object().value_unsafe();
  for (const auto& [key, value] : object) {
    if (key != name) continue;
    if (found) reject(fmt::format("duplicate key '{}'", name));
    found = value;
  }
  if (!found || found->is_null()) return std::nullopt;
  return Node(*found, fmt::format("{}.{}", path_, name));
}

Node Node::operator[](std::string_view name) const {
  if (auto found = find(name)) return *std::move(found);
  element value;  // find() has shown that this is an object without doubles of the name
  if (value_.get_object().value_unsafe().at_key(name).get(value) != simdjson::SUCCESS)
    reject(fmt::format("'{}' is missing", name));
  return {value, fmt::format("{}.{}", path_, name)};
}

std::vector<Node> Node::entries() const {
  if (!value_.is_array()) reject(wrong("an array", value_));
  std::vector<Node> all;
  const simdjson::dom::array array = value_.get_array().value_unsafe();
  for (const auto entry : array) all.emplace_back(entry, fmt::format("{}[{}]", path_, all.size()));
  return all;
}

std::vector<std::pair<std::string, Node>> Node::members() const {
  if (!value_.is_object()) reject(wrong("an object", value_));
  std::vector<std::pair<std::string, Node>> all;
  const simdjson::dom::object object = value_.get_object().value_unsafe();
  for (const auto& [key, value] : object)
    all.emplace_back(std::string(key), Node(value, fmt::format("{}.{}", path_, key)));
  return all;
}

std::string Node::text() const {
  if (!value_.is_string()) reject(wrong("a text", value_));
  return std::string(value_.get_string().value_unsafe());
}

double Node::number() const {
  if (value_.is_null()) return std::numeric_limits<double>::quiet_NaN();
  double number = 0;
  if (value_.get_double().get(number) != simdjson::SUCCESS) reject(wrong("a number", value_));
  return number;
}

std::int64_t Node::integer(std::int64_t least, std::int64_t most) const {
  std::int64_t number = 0;
  const auto error = value_.get_int64().get(number);
  if (error == simdjson::INCORRECT_TYPE && !value_.is_number()) reject(wrong("a whole number", value_));
  if (error != simdjson::SUCCESS || number < least || number > most)
    reject(fmt::format("a whole number from {} to {} is expected", least, most));
  return number;
}

std::vector<double> Node::numbers() const {
  if (!value_.is_array()) reject(wrong("an array", value_));
  std::vector<double> all;
  const simdjson::dom::array array = value_.get_array().value_unsafe();
  for (const auto entry : array) {
    double number = std::numeric_limits<double>::quiet_NaN();
    if (!entry.is_null() && entry.get_double().get(number) != simdjson::SUCCESS)
      Node(entry, fmt::format("{}[{}]", path_, all.size())).reject(wrong("a number", entry));
    all.push_back(number);
  }
  return all;
}

std::vector<std::string> Node::texts() const {
  std::vector<std::string> all;
  for (const auto& entry : entries()) all.push_back(entry.text());
  return all;
}

std::string Node::json(std::size_t most) const {
  auto text = simdjson::minify(value_);
  if (text.size() > most) reject(fmt::format("longer than {} bytes", most));
  return text;
}

Document::Document(const std::filesystem::path& file, std::uint64_t most_bytes) : name_(file.string()) {
  const auto text = trace::load_text(file, {.unpacked_bytes = most_bytes, .flag = {}});
  parse(text.data.get(), text.size, true);
}

Document::Document(std::string_view text, std::string name) : name_(std::move(name)) {
  parse(text.data(), text.size(), false);
}

void Document::parse(const char* text, std::size_t size, bool padded) {
  auto error = parser_.allocate(std::max<std::size_t>(size, 1), deepest);
  if (error == simdjson::SUCCESS) error = parser_.parse(text, size, !padded).get(root_);
  if (error == simdjson::MEMALLOC) throw BadInput(name_ + ": there is not enough memory to read it");
  if (error != simdjson::SUCCESS) throw BadInput(name_ + ": " + complaint(text, size, error));
}

}  // namespace harness::compare
