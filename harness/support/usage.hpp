// What the command line says about itself: help, and a sentence when it is wrong.
#pragma once

#include "harness/support/terminal.hpp"

#include <cstdint>
#include <memory>
#include <span>

namespace CLI {
class App;
class FormatterBase;
class Option;
class ParseError;
}  // namespace CLI

namespace harness::inline support {

/// Help whose descriptions are wrapped to the style's columns.
std::shared_ptr<CLI::FormatterBase> help_formatter(const Style& style);

/// Declares an option on a CLI::App; `kind` is what help calls its value: "FILE". What takes several values
/// is given again for each: a word behind one is not the option's.
template <class App, class T>
auto* add_value(App& command, std::string name, T& target, std::string kind, std::string about) {
  return command.add_option(std::move(name), target, std::move(about))
      ->type_name(std::move(kind))
      ->allow_extra_args(false);
}

/// The option takes a percentage with its sign or without: "3%" or "3".
void takes_percent(CLI::Option& option);

/// The option takes a whole number in decimal digits, in that range: CLI11's own would take " 3", 0x3 and
/// 010, which is 8 there, too.
CLI::Option* takes_number(CLI::Option* option, std::int64_t least, std::int64_t most);

/// Throws BadInput where an option of the command that was parsed has an empty value: that is a variable
/// which a script forgot to set, not a wish for the default. `words`: of the command line.
void refuse_empty_values(const CLI::App& app, std::span<const char* const> words);

/// Throws BadInput, the option's name and `sentence`, where the command was given one that is not `allowed`.
void refuse_others(const CLI::App& command, std::initializer_list<std::string_view> allowed,
                   std::string_view sentence);

/// One sentence about the error, naming near misses among the commands and options.
std::string usage_sentence(const CLI::App& app, const CLI::ParseError& error);

}  // namespace harness::inline support
