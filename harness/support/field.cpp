#include "harness/support/field.hpp"

#include "harness/support/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <utility>

namespace harness::inline support {
namespace {

// What a JSON document from outside may not be, beside what the parser refuses.

/// Hears a document before it is parsed: with a callback the parser looks at all entries of a list whenever
/// one of them ends. Refuses what the parser alone would let through: members that are there twice, of which
/// it keeps one, and documents that are slow or dangerous to walk through. Throws BadInput with the
/// document's name and where known the place. What is malformed ends the hearing, and the parser says why.
class JsonGate : public Json::json_sax_t {
 public:
  explicit JsonGate(std::string name) : name_(std::move(name)) {}

  bool null() override { return count_value(); }
  bool boolean(bool /*value*/) override { return count_value(); }
  bool number_integer(Json::number_integer_t /*value*/) override { return count_value(); }
  bool number_unsigned(Json::number_unsigned_t /*value*/) override { return count_value(); }
  bool number_float(Json::number_float_t /*value*/, const std::string& /*text*/) override {
    return count_value();
  }
  bool string(std::string& /*value*/) override { return count_value(); }
  bool binary(Json::binary_t& /*value*/) override { return count_value(); }
  bool start_object(std::size_t /*size*/) override;
  bool key(std::string& name) override;
  bool end_object() override;
  bool start_array(std::size_t /*size*/) override { return begin_list(); }
  bool end_array() override { return end_list(); }
  bool parse_error(std::size_t /*at*/, const std::string& /*token*/,
                   const nlohmann::detail::exception& /*why*/) override {
    return false;
  }

 private:
  struct Object {
    std::set<std::string> keys;
    std::string last;
  };

  bool count_value();
  bool begin_list();
  bool end_list();
  void require_few() const;
  std::string path_of(const std::string& key) const;

  std::string name_;
  std::vector<Object> around_;  // the objects around the place
  int levels_ = 0;
  std::size_t lists_ = 0;
  std::size_t values_ = 0;
};

constexpr int most_levels = 200;            // what walks through a document does so level by level
constexpr std::size_t most_members = 1000;  // of one object: each new one is looked for among the others
constexpr std::size_t longest_path = 120;   // that a message repeats
// Each takes many times the memory that its text does, and where that ends the parser cannot go back.
constexpr std::size_t most_lists = 1'000'000;  // and objects
constexpr std::size_t most_values = 20'000'000;

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

constexpr std::size_t longest_message = 200;  // of the parser, which repeats what it read last

}  // namespace

void Field::reject(std::string_view what) const {
  auto message = path_ + ": " + std::string(what);
  std::ranges::replace(message, '\0', '?');  // what the input holds; what() would end there
  throw BadInput(message);
}

Field Field::operator[](std::string_view name) const {
  if (!value_->is_object()) reject("expected an object, not " + std::string(value_->type_name()));
  const auto found = value_->find(name);
  if (found == value_->end()) reject("'" + std::string(name) + "' is missing");
  return {*found, path_ + "." + std::string(name)};
}

bool Field::has(std::string_view name) const {
  if (!value_->is_object()) return false;
  const auto found = value_->find(name);
  return found != value_->end() && !found->is_null();
}

std::optional<Field> Field::find(std::string_view name) const {
  if (!has(name)) return std::nullopt;
  return (*this)[name];
}

std::vector<Field> Field::entries() const {
  if (!value_->is_array()) reject("expected an array, not " + std::string(value_->type_name()));
  std::vector<Field> all;
  for (const auto& entry : *value_) all.emplace_back(entry, path_ + "[" + std::to_string(all.size()) + "]");
  return all;
}

std::vector<std::pair<std::string, Field>> Field::members() const {
  if (!value_->is_object()) reject("expected an object, not " + std::string(value_->type_name()));
  std::vector<std::pair<std::string, Field>> all;
  for (const auto& [name, value] : value_->items()) all.emplace_back(name, Field(value, path_ + "." + name));
  return all;
}

std::string Field::text() const {
  if (!value_->is_string()) reject("expected a string, not " + std::string(value_->type_name()));
  return value_->get<std::string>();
}

bool Field::boolean() const {
  if (!value_->is_boolean()) reject("expected true or false, not " + std::string(value_->type_name()));
  return value_->get<bool>();
}

double Field::number() const {
  if (value_->is_null()) return std::numeric_limits<double>::quiet_NaN();
  if (!value_->is_number()) reject("expected a number, not " + std::string(value_->type_name()));
  return value_->get<double>();
}

double Field::positive() const {
  const auto value = number();
  if (value <= 0) reject("expected a number above 0");
  return value;
}

std::int64_t Field::integer() const {
  if (!value_->is_number_integer())
    reject("expected a whole number, not " + std::string(value_->type_name()));
  if (value_->is_number_unsigned() && value_->get<std::uint64_t>() > std::numeric_limits<std::int64_t>::max())
    reject("the number is too large");
  return value_->get<std::int64_t>();
}

std::int64_t Field::integer(std::int64_t least, std::int64_t most) const {
  const auto value = integer();
  if (value < least || value > most)
    reject("expected a whole number from " + std::to_string(least) + " to " + std::to_string(most));
  return value;
}

std::uint64_t Field::unsigned_integer() const {
  if (!value_->is_number_unsigned())
    reject("expected a whole number from 0, not " + std::string(value_->type_name()));
  return value_->get<std::uint64_t>();
}

std::vector<double> Field::numbers() const {
  std::vector<double> all;
  for (const auto& entry : entries()) all.push_back(entry.number());
  return all;
}

std::pair<double, double> Field::rising_pair() const {
  const auto ends = numbers();
  if (ends.size() != 2 || !(ends[0] <= ends[1])) reject("expected two rising numbers");
  return {ends[0], ends[1]};
}

std::vector<std::int64_t> Field::integers() const {
  std::vector<std::int64_t> all;
  for (const auto& entry : entries()) all.push_back(entry.integer());
  return all;
}

std::vector<std::string> Field::texts() const {
  std::vector<std::string> all;
  for (const auto& entry : entries()) all.push_back(entry.text());
  return all;
}

std::string reason_of(const Json::exception& error) {
  const std::string what = error.what();  // "[json.exception.parse_error.101] parse error at line 1, ..."
  const auto end_of_tag = what.find("] ");
  const auto line = what.find("line "), column_end = what.find(':', line);
  if (what.find("unexpected end of input") != what.npos && column_end != what.npos)
    return fmt::format("is cut short: it ends at {}", what.substr(line, column_end - line));
  return what.substr(end_of_tag == std::string::npos ? 0 : end_of_tag + 2, longest_message);
}

Json parse_json(std::string_view text, const std::string& name) {
  if (text.find_first_not_of(" \t\r\n") == text.npos) throw BadInput(name + ": is empty");
  JsonGate gate(name);
  try {
    Json::sax_parse(text, &gate);
    return Json::parse(text);
  } catch (const Json::exception& error) {  // 1e999 is well-formed and out of range
    throw BadInput(name + ": " + reason_of(error));
  }
}

std::string one_line(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

Json finite(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

namespace {

bool fits_a_line(const Json& json) {
  if (!json.is_structured()) return true;
  if (json.is_object())
    return json.size() <= 4 && [&] {
      for (const auto& entry : json)
        if (entry.is_structured()) return false;
      return json.dump().size() <= 80;
    }();
  for (const auto& entry : json)
    if (entry.is_structured()) return false;
  return true;
}

void write(const Json& json, const std::string& indent, std::string& out) {
  if (json.empty() || fits_a_line(json)) {
    out += one_line(json);
    return;
  }
  const auto inner = indent + "  ";
  const bool object = json.is_object();
  out += object ? "{" : "[";
  bool first = true;
  for (const auto& [name, value] : json.items()) {
    out += first ? "\n" : ",\n";
    out += inner;
    if (object) out += one_line(name) + ": ";
    write(value, inner, out);
    first = false;
  }
  out += "\n" + indent + (object ? "}" : "]");
}

}  // namespace

std::string pretty(const Json& json) {
  std::string out;
  write(json, "", out);
  return printable_json(out) + "\n";
}

namespace {

bool has_printable_names(const Json& object) {
  return std::ranges::all_of(object.items(),
                             [](const auto& member) { return printable(member.key()) == member.key(); });
}

/// As deep as the document, whose levels parse_json has bounded.
void make_printable(Json& json) {
  if (json.is_string()) json = printable(json.get_ref<const std::string&>());
  if (!json.is_structured()) return;
  for (auto& value : json) make_printable(value);
  if (!json.is_object() || has_printable_names(json)) return;
  auto clean = Json::object();
  for (auto& [name, value] : json.items()) clean[printable(name)] = std::move(value);
  json = std::move(clean);
}

/// Whether an object or a list could begin so: "[rehearsal] 11 rows" is neither.
bool could_be_json(std::string_view text) {
  constexpr std::string_view blank = " \t\r\n", mark = "\xef\xbb\xbf";  // editors on Windows write it first
  if (text.starts_with(mark)) text.remove_prefix(mark.size());
  const auto begin = text.find_first_not_of(blank);
  if (begin == text.npos) return true;  // the parser's words tell of an empty file
  const auto next = text.find_first_not_of(blank, begin + 1);
  if (next == text.npos) return text[begin] == '{' || text[begin] == '[';
  const std::string_view can_follow = text[begin] == '{'   ? "\"}"
                                      : text[begin] == '[' ? "{[]\"-0123456789tfn"
                                                           : "";
  return can_follow.find(text[next]) != can_follow.npos;
}

/// The text as it came. A table that a command printed is named for what it is, in place of its first letter.
std::string begins_as_json(std::string text, const std::filesystem::path& file) {
  if (!could_be_json(text))
    throw BadInput(
        fmt::format("{}: is not JSON; name a file that `run --json FILE`, `prices --benchmark_out=FILE` or "
                    "another command's --json has written",
                    file.string()));
  return text;
}

}  // namespace

Json read_json(const std::filesystem::path& file, std::uint64_t most_bytes) {
  auto json = parse_json(begins_as_json(read_text(file, most_bytes), file), file.string());
  make_printable(json);
  return json;
}

}  // namespace harness::inline support
