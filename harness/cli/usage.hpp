// What is said when the command line is wrong.
#pragma once

#include <string>

namespace CLI {
class App;
class ParseError;
}  // namespace CLI

namespace harness {

/// One sentence about the error, naming near misses among the commands and options.
std::string usage_sentence(const CLI::App& app, const CLI::ParseError& error);

}  // namespace harness
