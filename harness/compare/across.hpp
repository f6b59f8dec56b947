// What two runs or two programs may differ in where that is the subject of the comparison: --across.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace harness::compare {

enum class Across { driver, libtorch, cuda, compiler, flags };

/// "driver", "libtorch".
std::string to_string(Across across);

/// Declares --across, which may be given several times.
CLI::Option* declare(CLI::App& command, std::vector<Across>& across);

/// True if one of them makes this field of a fingerprint the subject.
bool is_treatment(const std::string& field, const std::vector<Across>& across);

/// " --across libtorch --across cuda", as far as options name the fields; empty where none does.
std::string across_options(const std::vector<std::string>& fields);

}  // namespace harness::compare
