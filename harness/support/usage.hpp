// What the command line says about itself: help, and a sentence when it is wrong.
#pragma once

#include "harness/support/terminal.hpp"

#include <memory>
#include <string>

namespace CLI {
class App;
class FormatterBase;
class Option;
class ParseError;
}  // namespace CLI

namespace harness::inline support {

/// Help whose descriptions are wrapped to the style's columns.
std::shared_ptr<CLI::FormatterBase> help_formatter(const Style& style);

/// The option takes a percentage with its sign or without: "3%" or "3".
void takes_percent(CLI::Option& option);

/// One sentence about the error, naming near misses among the commands and options.
std::string usage_sentence(const CLI::App& app, const CLI::ParseError& error);

}  // namespace harness::inline support
