#include "harness/support/usage.hpp"

#include "harness/support/expression.hpp"
#include "harness/support/near_miss.hpp"
#include "harness/support/text.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <regex>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace harness::inline support {
namespace {

constexpr int description_column = 32;

/// CLI11's own puts each description on one line, however long, says what checks an option ("INT:INT in [1 -
/// 64]") and what goes with it ("Needs: --gbench"), and leaves two lines free between groups.
class HelpFormatter : public CLI::Formatter {
 public:
  explicit HelpFormatter(const Style& style) : style_(style) {}

  std::string make_option(const CLI::Option* option, bool positional) const override {
    const auto lead = "  " + make_option_name(option, positional) + make_option_opts(option);
    return indented(lead, make_option_desc(option), description_column, style_);
  }
  std::string make_option_opts(const CLI::Option* option) const override {
    const auto type = option->get_type_name();
    const auto check = type.find(':');
    auto text = Formatter::make_option_opts(option);
    for (const auto* others : {" Needs:", " Excludes:"}) text.erase(std::min(text.find(others), text.size()));
    if (check == type.npos || text.find(type) == text.npos) return text;
    const bool choice = type.compare(check + 1, 1, "{") == 0;
    return text.replace(text.find(type), type.size(),
                        choice ? type.substr(check + 1) : type.substr(0, check));
  }
  std::string make_help(const CLI::App* app, std::string name, CLI::AppFormatMode mode) const override {
    auto text = Formatter::make_help(app, std::move(name), mode);
    for (auto gap = text.find("\n\n\n"); gap != text.npos; gap = text.find("\n\n\n")) text.erase(gap, 1);
    return text;
  }
  std::string make_subcommand(const CLI::App* command) const override {
    return indented("  " + command->get_name(), command->get_description(), description_column, style_);
  }

 private:
  Style style_;
};

std::vector<std::string> command_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const auto* command : app.get_subcommands(nullptr)) names.push_back(command->get_name());
  return names;
}

std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const auto* option : app.get_options())
    if (option->nonpositional()) names.push_back("--" + option->get_lnames().front());
  return names;
}

std::string unexpected(const CLI::App& app) {
  const auto words = app.remaining(true);
  const auto& word = words.front();
  const auto named = app.get_subcommands();
  if (named.empty()) {
    if (word.starts_with("-")) return "unknown option '" + word + "'" + did_you_mean(word, option_names(app));
    return "unknown command '" + word + "'" + did_you_mean(word, command_names(app));
  }
  const auto& command = *named.front();
  if (word.starts_with("-"))
    return command.get_name() + " has no option '" + word + "'" + did_you_mean(word, option_names(command));
  return command.get_name() + " does not take '" + word + "'";
}

/// "{quick,full}" as a reader says it.
std::string choice_text(const std::string& choices) {
  std::vector<std::string> words;
  std::istringstream all(choices);
  for (std::string word; std::getline(all, word, ',');) words.push_back(word);
  return join_or(words);
}

/// CLI11's sentences about an option's value, in our words.
std::string plainly(const CLI::App& command, const std::string& said) {
  std::smatch found;
  if (std::regex_match(said, found, expression_of(R"((\S+): (?:Value )?(.*) not in \{(.*)\})")))
    return found.str(1) + " '" + found.str(2) + "': expected " + choice_text(found.str(3));
  if (std::regex_match(said, found, expression_of(R"((\S+): Value (.*) not in range (\S+) to (\S+))")))
    return found.str(1) + " '" + found.str(2) + "': expected a number from " + found.str(3) + " to " +
           found.str(4);
  if (std::regex_match(said, found, expression_of(R"((\S+): \d+ required (\S+) missing)")))
    return found.str(1) + ": its " + found.str(2) + " is missing";
  if (said == "A subcommand is required")
    return command.get_name() + ": give " + join_or(command_names(command));
  return said;
}

}  // namespace

std::shared_ptr<CLI::FormatterBase> help_formatter(const Style& style) {
  return std::make_shared<HelpFormatter>(style);
}

void takes_percent(CLI::Option& option) {
  option.type_name("PERCENT")->transform(CLI::Validator(
      [](std::string& text) {
        if (text.ends_with('%')) text.pop_back();
        return std::string();
      },
      ""));
}

std::string usage_sentence(const CLI::App& app, const CLI::ParseError& error) {
  const auto named = app.get_subcommands();
  const auto help = app.get_name() + (named.empty() ? "" : " " + named.front()->get_name()) + " --help";
  const bool extras = dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr;
  const auto& command = named.empty() ? app : *named.front();
  const auto said = extras && !app.remaining(true).empty() ? unexpected(app) : plainly(command, error.what());
  return said.ends_with('?') ? said : said + "; see " + help;
}

}  // namespace harness::inline support
