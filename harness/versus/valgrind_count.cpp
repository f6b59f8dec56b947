#include "harness/versus/valgrind_count.hpp"

#include "harness/core/parse_number.hpp"
#include "harness/core/setup.hpp"
#include "harness/support/run_program.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

namespace harness::versus {
namespace {

/// The number of "==7== I refs:        1,234", or "I   refs:" before Valgrind 3.21.
double refs_of(const std::filesystem::path& log) {
  std::ifstream in(log);
  for (std::string line; std::getline(in, line);) {
    const auto refs = line.find("refs:");
    if (refs == std::string::npos || line.find(" I ") == std::string::npos) continue;
    auto number = line.substr(refs + 5);
    std::erase_if(number, [](char c) { return c == ',' || c == ' '; });
    return parse_number<double>(number).value_or(0);
  }
  return 0;
}

}  // namespace

void require_valgrind(const std::string& why_no_counter) {
  if (find_program("valgrind").empty())
    throw BadInput(fmt::format(
        "--metric instructions: {}, and valgrind is not installed; install it, or take --metric cpu",
        why_no_counter));
}

ValgrindCount::ValgrindCount() : folder_(temporary_folder()) {}

Command ValgrindCount::counted(const Command& command) const {
  auto counted = command;
  counted.program = "valgrind";
  counted.arguments = {"--tool=cachegrind",
                       "--cache-sim=no",
                       "--trace-children=yes",
                       "--cachegrind-out-file=/dev/null",
                       "--log-file=" + (folder_.path() / "%p.log").string(),
                       command.program.string()};
  counted.arguments.insert(counted.arguments.end(), command.arguments.begin(), command.arguments.end());
  return counted;
}

double ValgrindCount::instructions() const {
  double sum = 0;
  for (const auto& log : std::filesystem::directory_iterator(folder_.path())) sum += refs_of(log.path());
  return sum;
}

}  // namespace harness::versus
