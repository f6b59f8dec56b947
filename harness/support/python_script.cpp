#include "harness/support/python_script.hpp"

#include <utility>

namespace harness::inline support {

Command python_script(const std::filesystem::path& python, std::string_view script,
                      std::vector<std::string> arguments) {
  // Python 3.10 does not know PYTHONSAFEPATH, nor -P. Both modules are there before the path is read.
  constexpr std::string_view isolated =
      "import os, sys\n"
      "sys.path[:] = [p for p in sys.path if p and os.path.realpath(p) != os.getcwd()]\n";
  std::vector<std::string> words{"-c", std::string(isolated).append(script)};
  words.insert(words.end(), arguments.begin(), arguments.end());
  return {.program = python, .arguments = std::move(words), .environment = {"PYTHONSAFEPATH=1"}};
}

}  // namespace harness::inline support
