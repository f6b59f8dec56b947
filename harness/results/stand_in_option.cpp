#include "harness/results/stand_in_option.hpp"

#include <CLI/CLI.hpp>

#include <string>

namespace harness::results {

void declare_stand_in(CLI::App& command, StandIn& policy) {
  command
      .add_flag_callback(
          std::string(allow_stand_in), [&policy] { policy = StandIn::allow; },
          "Accept results of the stand-in device (stand_in/)")
      ->group("Testing tuneproof");
}

}  // namespace harness::results
