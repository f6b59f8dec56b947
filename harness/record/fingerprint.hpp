// What identifies the machine and the software a result was measured with: measuring.md 2.5, as far as this
// stage reads it.
#pragma once

#include "harness/machine/build_info.hpp"
#include "harness/record/field.hpp"

#include <string>

namespace harness {

/// `hard`: results whose hard part differs are not comparable. `soft`: worth a warning. `info`: for the
/// reader. The id is "sha256:..." of the hard part's canonical JSON; empty where the program was built
/// without libcrypto.
struct Fingerprint {
  std::string id;
  Json hard = Json::object();
  Json soft = Json::object();
  Json info = Json::object();
};

/// Reads the host's facts from /proc and /sys. `probe` is the worker's answer to --probe: the device's and
/// LibTorch's facts.
Fingerprint take_fingerprint(const Json& probe, const BuildInfo& build);

/// The id of a hard part: keys sorted, no blanks, SHA-256.
std::string fingerprint_id(const Json& hard);

Json fingerprint_to_json(const Fingerprint& fingerprint);
Fingerprint fingerprint_from_json(const Field& json);

}  // namespace harness
