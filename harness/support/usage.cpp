#include "harness/support/usage.hpp"

#include "harness/core/parse_number.hpp"
#include "harness/core/setup.hpp"
#include "harness/support/expression.hpp"
#include "harness/support/near_miss.hpp"
#include "harness/support/text.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <ranges>
#include <sstream>
#include <utility>

namespace harness::inline support {
namespace {

constexpr int note_column = 6;

/// An option or a command with its description: beside it, or below it on a narrow terminal.
std::string described(const std::string& name, const std::string& text, const Style& style) {
  constexpr int narrow = 80, column = 32;
  return style.columns < narrow ? indented("  " + name + "\n", text, note_column, style)
                                : indented("  " + name, text, column, style);
}

bool fits(std::string_view line, const Style& style) {
  return line.size() <= static_cast<std::size_t>(style.columns);
}

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  for (const auto line : std::views::split(text, '\n')) lines.emplace_back(line.begin(), line.end());
  return lines;
}

/// "  tuneproof run          the quick suite": each head stays a line, and its note goes below it. A note may
/// have a second line, far to the right.
std::string notes_below(std::span<const std::string_view> items, const Style& style) {
  constexpr std::size_t within_a_note = 16;
  std::string text;
  std::string note;
  const auto end_note = [&] {
    if (!note.empty()) text += indented("", note, note_column, style);
    note.clear();
  };
  for (const auto item : items) {
    const auto begin = std::min(item.find_first_not_of(' '), item.size());
    const auto head = begin < within_a_note ? item.substr(0, item.find("  ", begin)) : std::string_view();
    if (!head.empty()) {
      end_note();
      text.append(head).append("\n");
    }
    note.append(item.substr(head.size()));
  }
  end_note();
  return text;
}

/// Below the options stands text that is laid out for 100 columns. A paragraph of it that is too wide is
/// wrapped anew, and a list right below its heading ("Examples:") has its notes below. A table stays as it
/// is.
std::string folded(std::string_view text, const Style& style) {
  const auto lines = lines_of(text);
  std::string out;
  for (auto at = lines.begin(); at != lines.end(); ++at) {
    const auto end = std::find(at, lines.end(), std::string_view());
    const auto list = std::find_if(at, end, [](std::string_view line) { return line.starts_with(' '); });
    const bool wide = std::any_of(at, end, [&](std::string_view line) { return !fits(line, style); });
    const bool table = list != end && (list == at || !list[-1].ends_with(':'));
    if (wide && !table)
      out += indented("", fmt::format("{}", fmt::join(at, list, " ")), 0, style) +
             notes_below({list, end}, style);
    else
      for (const auto line : std::span(at, end)) out.append(line).append("\n");
    at = end;
    if (at == lines.end()) break;
    out += "\n";
  }
  return out;
}

/// CLI11's own puts each description on one line, however long, says what checks an option ("INT:INT in [1 -
/// 64]") and what goes with it ("Needs: --gbench"), and leaves two lines free between groups.
class HelpFormatter : public CLI::Formatter {
 public:
  explicit HelpFormatter(const Style& style) : style_(style) {}

  std::string make_option(const CLI::Option* option, bool positional) const override {
    return described(make_option_name(option, positional) + make_option_opts(option),
                     make_option_desc(option), style_);
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
  std::string make_description(const CLI::App* app) const override {
    return indented("", Formatter::make_description(app), 0, style_);
  }
  std::string make_footer(const CLI::App* app) const override { return folded(app->get_footer(), style_); }
  std::string make_help(const CLI::App* app, std::string name, CLI::AppFormatMode mode) const override {
    auto text = Formatter::make_help(app, std::move(name), mode);
    for (auto gap = text.find("\n\n\n"); gap != text.npos; gap = text.find("\n\n\n")) text.erase(gap, 1);
    return text;
  }
  std::string make_subcommand(const CLI::App* command) const override {
    return described(command->get_name(), command->get_description(), style_);
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

/// "a file from `run --json`": a description within a sentence.
std::string within_a_sentence(std::string text) {
  const auto is_lower = [&](std::size_t at) {
    return at < text.size() && std::islower(static_cast<unsigned char>(text[at])) != 0;
  };
  if (is_lower(1) || (text.size() > 1 && text[1] == ' '))
    text.front() = static_cast<char>(std::tolower(static_cast<unsigned char>(text.front())));
  return text;
}

/// The first command below "Examples:"; empty where there is none.
std::string first_example(const std::string& footer) {
  const std::string begin = "\n  tuneproof ";
  const auto at = footer.find(begin, std::min(footer.find("Examples:"), footer.size()));
  if (at == footer.npos) return {};
  const auto line = std::string_view(footer).substr(at + 3);
  return std::string(line.substr(0, std::min(line.find('\n'), line.find("  "))));
}

/// What the command takes, where some of that is missing: "export needs FORMAT (bmf, csv or junit) and FILE
/// (a file from `run --json`); for example: tuneproof export csv r.json".
std::string what_it_needs(const CLI::App& command, const std::string& name, const std::string& footer) {
  std::vector<std::string> needed;
  for (const auto* option : command.get_options())
    if (option->get_required())
      needed.push_back(
          fmt::format("{} ({})", option->get_name(true), within_a_sentence(option->get_description())));
  const auto example = first_example(footer);
  return fmt::format("{} needs {}{}{}", name, fmt::join(needed, " and "),
                     example.empty() ? "" : "; for example: ", example);
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

/// A word is missing that has no name, and not one of several commands.
bool is_required(const CLI::ParseError& error) {
  return dynamic_cast<const CLI::RequiredError*>(&error) != nullptr &&
         std::string_view(error.what()).ends_with(" is required") &&
         !std::string_view(error.what()).starts_with("A subcommand");
}

/// Of the command, or of the one within it that was named: "history add".
std::string what_is_missing(const CLI::App& command) {
  const auto within = command.get_subcommands();
  if (within.empty()) return what_it_needs(command, command.get_name(), command.get_footer());
  const auto& inner = *within.front();
  return what_it_needs(inner, command.get_name() + " " + inner.get_name(),
                       inner.get_footer().empty() ? command.get_footer() : inner.get_footer());
}

/// CLI11 passes over the `=` of "--junit=", and takes the next word for the value.
bool ends_in_nothing(std::string_view word, const CLI::Option& option) {
  if (!word.starts_with("--") || !word.ends_with('=')) return false;
  return option.check_lname(std::string(word.substr(2, word.size() - 3)));
}

}  // namespace

std::shared_ptr<CLI::FormatterBase> help_formatter(const Style& style) {
  return std::make_shared<HelpFormatter>(style);
}

void takes_percent(CLI::Option& option) {
  option.type_name("PERCENT")->transform(CLI::Validator(
      [](std::string& text) {
        if (text.ends_with('%')) text.pop_back();
        return parse_number<double>(text) ? "" : "expected a percentage, such as 3%";
      },
      ""));
}

CLI::Option* takes_number(CLI::Option* option, std::int64_t least, std::int64_t most) {
  return option->transform(CLI::Validator(
      [least, most](std::string& text) {
        const auto number = parse_number<std::int64_t>(text);
        if (!number || *number < least || *number > most)
          return fmt::format("Value {} not in range {} to {}", text, least, most);
        text = std::to_string(*number);  // of "010", which the conversion behind this would take for 8
        return std::string();
      },
      ""));
}

void refuse_empty_values(const CLI::App& app, std::span<const char* const> words) {
  const auto* command = &app;
  while (!command->get_subcommands().empty()) command = command->get_subcommands().front();
  const std::vector<std::string_view> ours(words.begin(),
                                           std::find(words.begin(), words.end(), std::string_view("--")));
  for (const auto* option : command->get_options()) {
    if (!option->nonpositional() || option->get_items_expected_max() == 0) continue;
    const bool is_empty =
        std::ranges::find(option->results(), "") != option->results().end() ||
        std::ranges::any_of(ours, [&](auto word) { return ends_in_nothing(word, *option); });
    if (is_empty)
      throw BadInput(fmt::format("{}: {} is empty; give it a value or leave it out", command->get_name(),
                                 option->get_name(false, true)));
  }
}

void refuse_others(const CLI::App& command, std::initializer_list<std::string_view> allowed,
                   std::string_view sentence) {
  for (const auto* option : command.get_options())
    if (option->count() > 0 && std::ranges::find(allowed, option->get_name()) == allowed.end())
      throw BadInput(fmt::format("{}: {}", option->get_name(), sentence));
}

std::string usage_sentence(const CLI::App& app, const CLI::ParseError& error) {
  const auto named = app.get_subcommands();
  const auto help = app.get_name() + (named.empty() ? "" : " " + named.front()->get_name()) + " --help";
  const bool extras = dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr;
  const auto& command = named.empty() ? app : *named.front();
  const auto said = extras && !app.remaining(true).empty() ? unexpected(app)
                    : is_required(error)                   ? what_is_missing(command)
                                                           : plainly(command, error.what());
  return said.ends_with('?') ? said : said + "; see " + help;
}

}  // namespace harness::inline support
