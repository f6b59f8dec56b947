#include "harness/programs/knobs.hpp"

#include "harness/core/parse_number.hpp"
#include "harness/core/setup.hpp"
#include "harness/support/expression.hpp"
#include "harness/support/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

namespace harness::programs {
namespace {

constexpr int most_values = 1000;

/// A knob, or a further place of one: "{batch}".
const std::regex& places() {
  static const auto expression = expression_of(R"(\{([A-Za-z_]\w*)(?::([^{}]*))?\})");
  return expression;
}

/// "${HOME}" is not a knob.
bool is_the_shells(const std::string& text, const std::smatch& place) {
  return place.position() > 0 && text[static_cast<std::size_t>(place.position()) - 1] == '$';
}

bool rise(const std::vector<std::string>& values) {
  std::vector<double> numbers;
  for (const auto& value : values)
    if (const auto number = parse_number<double>(value)) numbers.push_back(*number);
  return numbers.size() == values.size() && std::ranges::is_sorted(numbers);
}

/// "0..8", or "16,32,64", of which any may be empty.
std::vector<std::string> values_of(const std::string& text, const std::string& place) {
  static const auto range = expression_of(R"((\d+)\.\.(\d+))");
  std::vector<std::string> values;
  if (std::smatch ends; std::regex_match(text, ends, range)) {
    const auto first = parse_number<int>(ends[1].str()), last = parse_number<int>(ends[2].str());
    if (!first || !last || *first >= *last || *last - *first >= most_values)
      throw BadInput(
          fmt::format("the knob {} needs a rising range of at most {} values", shown(place), most_values));
    for (int value = *first; value <= *last; ++value) values.push_back(std::to_string(value));
    return values;
  }
  std::istringstream words(text + ",");  // else an empty last value would be lost
  for (std::string value; std::getline(words, value, ',');) {
    if (std::ranges::find(values, value) != values.end())
      throw BadInput(fmt::format("the knob {} has the value {} twice", shown(place), shown(value)));
    values.push_back(value);
  }
  if (values.size() < 2)
    throw BadInput(
        fmt::format("the knob {} needs two values at least, such as {{batch:16,32}}", shown(place)));
  return values;
}

}  // namespace

Template::Template(const std::string& text) : text_(text) {
  for (std::sregex_iterator place(text.begin(), text.end(), places()), none; place != none; ++place) {
    const auto& found = *place;
    if (!found[2].matched || is_the_shells(text, found)) continue;
    if (std::ranges::find(knobs_, found[1].str(), &Knob::name) != knobs_.end())
      throw BadInput(fmt::format("the knob {} is declared twice; write {{{}}} in its second place",
                                 shown(found.str()), found[1].str()));
    Knob knob{.name = found[1], .values = values_of(found[2], found.str())};
    knob.ordered = rise(knob.values);
    knobs_.push_back(std::move(knob));
  }
  if (knobs_.empty())
    throw BadInput("the command has no knob in it, such as {batch:16,32,64} or {workers:0..8}");
}

Settings Template::standard() const {
  Settings settings;
  for (const auto& knob : knobs_) settings[knob.name] = knob.values.front();
  return settings;
}

std::string Template::command(const Settings& settings) const {
  std::string out;
  auto rest = text_.begin();
  for (std::sregex_iterator place(text_.begin(), text_.end(), places()), none; place != none; ++place) {
    const auto value = settings.find((*place)[1]);
    if (value == settings.end() || is_the_shells(text_, *place)) continue;
    out.append(rest, text_.begin() + place->position()).append(value->second);
    rest = text_.begin() + place->position() + place->length();
  }
  return out.append(rest, text_.end());
}

std::string settings_text(const Settings& settings) {
  std::string out;
  for (const auto& [name, value] : settings)
    out += fmt::format("{}{}={}", out.empty() ? "" : " ", name, value);
  return out;
}

}  // namespace harness::programs
