// A script in the user's Python that a step asks a word at a time: what only an interpreter shows.
#pragma once

#include "harness/core/setup.hpp"
#include "harness/support/run_program.hpp"

namespace microbench {

struct PythonSide {
  explicit PythonSide(std::string_view script) : python(harness::python_script("python3", script)) {}

  harness::Conversation python;
  std::string seen;

  std::vector<std::byte> seen_bytes() const {
    const auto* first = reinterpret_cast<const std::byte*>(seen.data());
    return {first, first + seen.size()};
  }
};

/// One for the session, by the name of the script. Throws Skip where there is no Python.
inline std::shared_ptr<PythonSide> python_side(harness::Setup& setup, const std::string& name,
                                               std::string_view script) {
  using Shared = std::shared_ptr<PythonSide>;
  return *setup.shared<Shared>(name, [script] {
    try {
      return std::make_shared<PythonSide>(script);
    } catch (const harness::BadInput& error) {
      throw harness::Skip(std::string("the row needs Python: ") + error.what());
    }
  });
}

}  // namespace microbench
