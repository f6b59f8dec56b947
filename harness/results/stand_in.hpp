// The stand-in for the CUDA runtime (stand_in/) runs the CUDA half of the program without a GPU: for
// function, never for time. Here it is decided what was measured on it, and that nobody takes it for a
// measurement.
#pragma once

#include "harness/results/fingerprint.hpp"
#include "harness/support/terminal.hpp"

namespace CLI {
class App;
}

namespace harness::results {

/// What happens to a file that was measured on the stand-in.
enum class StandIn { refuse, allow };

/// The option of every command that reads such files.
constexpr std::string_view allow_stand_in = "--allow-stand-in";

/// What stands above and below every table that was measured on it.
constexpr std::string_view stand_in_warning =
    "STAND-IN: no GPU took part. Nothing here is a measurement; no time means anything.";
/// The same as a line of its own.
std::string warning_line(const Style& style);

/// The stand-in's device is called "stand-in (no times)".
bool is_stand_in(std::string_view gpu);
/// True if the fingerprint's GPU is the stand-in, whichever device the rows ran on.
bool on_stand_in(const Fingerprint& fingerprint);
/// The same for a document of any kind of ours: results, a self-test, a comparison, prices.
bool on_stand_in(const Json& document);

/// Throws BadInput, one sentence, where `stands_in` and that is not allowed; where it is, stderr says so.
void check_stand_in(bool stands_in, StandIn policy, std::string_view file);

/// Declares --allow-stand-in, which sets `policy`. It must outlive the parsing.
void declare_stand_in(CLI::App& command, StandIn& policy);

}  // namespace harness::results
