#pragma once

#include "harness/results/stand_in.hpp"

namespace CLI {
class App;
}

namespace harness::results {

/// Declares --allow-stand-in, which sets `policy`. It must outlive the parsing.
void declare_stand_in(CLI::App& command, StandIn& policy);

}  // namespace harness::results
