#include "harness/pages/topics.hpp"

#include "harness/core/step.hpp"
#include "harness/pages/narrow.hpp"
#include "harness/support/near_miss.hpp"
#include "harness/support/text.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace harness::pages {
namespace {

constexpr std::string_view topic_folder = "topic/";
constexpr std::string_view steps_heading = "Steps that show it";
constexpr std::string_view sources_heading = "Sources";

nlohmann::ordered_json outline(const Topic& topic) {
  return {{"name", topic.name}, {"title", title_of(topic)}, {"steps", steps_of(topic)}};
}

}  // namespace

bool asks_for_topics(std::string_view name) { return name == "topics" || name.starts_with(topic_folder); }

std::vector<std::string> topic_names() {
  std::vector<std::string> names;
  for (const auto& topic : topics()) names.emplace_back(topic.name);
  return names;
}

std::string topic_names_text() {
  std::string names;
  for (const auto& topic : topics()) names += std::string(names.empty() ? "" : ", ").append(topic.name);
  const auto lines = indented("", names, 2, style_of(stdout));
  return lines.substr(0, lines.size() - 1);
}

const Topic& find_topic(const std::string& name) {
  const auto found = std::ranges::find(topics(), name, &Topic::name);
  if (found != topics().end()) return *found;
  // Without the folder, which is in every name.
  const auto near = did_you_mean(name.substr(std::min(topic_folder.size(), name.size())), topic_names());
  throw BadInput(fmt::format("unknown topic '{}'{}", name,
                             near.empty() ? "; run 'tuneproof explain topics' to see them all" : near));
}

std::string_view title_of(const Topic& topic) { return topic.text.substr(0, topic.text.find('\n')); }

std::vector<std::string_view> lines_below(const Topic& topic, std::string_view heading) {
  std::vector<std::string_view> below;
  const auto start = topic.text.find(fmt::format("\n{}\n", heading));
  if (start == topic.text.npos) return below;
  auto rest = topic.text.substr(start + heading.size() + 2);
  while (rest.starts_with(' ')) {
    const auto end = std::min(rest.find('\n'), rest.size());
    const auto line = rest.substr(0, end);
    below.push_back(line.substr(line.find_first_not_of(' ')));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return below;
}

std::vector<std::string_view> steps_of(const Topic& topic) {
  auto steps = lines_below(topic, steps_heading);
  for (auto& step : steps) step = step.substr(0, step.find(' '));
  return steps;
}

std::string topic_text(const Topic& topic, const Style& style) {
  const auto title = title_of(topic);
  std::string out;
  for (const auto& line : wrap(title, style.columns)) out += inked(line, Ink::bold, style) + "\n";
  return out + narrow_topic(topic.text.substr(title.size() + 1), style);
}

std::string topics_text(const Style& style) {
  constexpr int name_columns = 34;
  auto out = fmt::format("{:{}}{}\n", "TOPIC", name_columns, "WHAT IT EXPLAINS");
  for (const auto& topic : topics()) out += entry_text(topic.name, title_of(topic), name_columns, style);
  return out + fmt::format("\n{} topics. `tuneproof explain TOPIC` shows one.\n", topics().size());
}

int run_topic(const std::string& name, bool json) {
  if (name == "topics") {
    auto all = nlohmann::ordered_json::array();
    for (const auto& topic : topics()) all.push_back(outline(topic));
    fmt::print("{}", json ? nlohmann::ordered_json{{"topics", std::move(all)}}.dump(2) + "\n"
                          : topics_text(style_of(stdout)));
    return 0;
  }
  const auto& topic = find_topic(name);
  if (!json) {
    fmt::print("{}", topic_text(topic, style_of(stdout)));
    return 0;
  }
  auto page = outline(topic);
  page["sources"] = lines_below(topic, sources_heading);
  page["text"] = topic.text;
  fmt::print("{}\n", page.dump(2));
  return 0;
}

}  // namespace harness::pages
