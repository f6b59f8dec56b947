// What identifies the machine and the software of a result: docs/measuring.md 11. The hard part
// has two halves: `machine`, the class of machine, which is the key of self-test, history and merging and
// holds nothing that differs between like machines; and `software`.
#pragma once

#include "harness/machine/build_info.hpp"
#include "harness/support/field.hpp"

namespace harness::results {

/// `hard`: results whose hard part differs are not comparable. `soft`: worth a warning. `info`: for the
/// reader. The id is "sha256:..." of the hard part's canonical JSON; empty where the program was built
/// without libcrypto.
struct Fingerprint {
  std::string id;
  Json hard = Json::object();
  Json soft = Json::object();
  Json info = Json::object();
};

/// Reads the host's facts from /proc, /sys and the environment, the GPU's settings from NVML. `probe` is the
/// worker's answer to --probe: the device's and LibTorch's facts.
Fingerprint take_fingerprint(const Json& probe, const BuildInfo& build);

/// The id of a hard part: keys sorted, no blanks, SHA-256.
std::string fingerprint_id(const Json& hard);

/// The key of a class of machines: the id of `hard.machine`; its canonical JSON itself where the program was
/// built without libcrypto.
std::string machine_class(const Fingerprint& fingerprint);
/// The same for the software.
std::string software_class(const Fingerprint& fingerprint);

/// What a price list says of where it was taken: the id; machine and software themselves where the program
/// was built without libcrypto.
std::string place_of_prices(const Fingerprint& fingerprint);

/// A field in which two fingerprints differ: "software.libtorch", and what each of them says.
struct Difference {
  std::string field;
  std::string base;
  std::string current;
  bool operator==(const Difference&) const = default;
};
/// The fields that both have and that differ, sorted. A field that only one has was not recorded by the other
/// version of the program, and tells nothing.
std::vector<Difference> differences(const Json& base, const Json& current);

Json fingerprint_to_json(const Fingerprint& fingerprint);
Fingerprint fingerprint_from_json(const Field& json);
/// Throws BadInput where a hard part lacks a fact that every version has recorded, or has it in another type:
/// without them two machines would look alike.
void require_facts(const Field& hard);

}  // namespace harness::results
