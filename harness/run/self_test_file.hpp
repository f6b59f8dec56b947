// A self-test as a JSON file (results/schema/selftest.schema.json), and the last one of each class of
// machines, kept so that a gate need not wait for one: docs/measuring.md 9.
#pragma once

#include "harness/run/self_test.hpp"

namespace harness::run {

/// True if it is one of that class of machine, and of the last 30 days.
bool is_current(const SelfTest& test, std::string_view machine_class, std::chrono::sys_seconds now);

/// ${XDG_CACHE_HOME:-~/.cache}/tuneproof/selftest/<class>.json; nothing where neither variable is set.
std::optional<std::filesystem::path> self_test_cache(std::string_view machine_class);

/// The cached self-test of that class of machines (`machine_class(fingerprint)`); nothing where there is
/// none, or it is older than 30 days. Throws BadInput, one sentence that names the file, where it is damaged.
std::optional<SelfTest> cached_self_test(const std::string& machine_class, std::chrono::sys_seconds now);

/// Replaces the cached one, whole or not at all, and makes the folders. Returns the file, or
/// nothing if this machine has no place for it. Throws BadInput where it cannot be written.
std::optional<std::filesystem::path> cache_self_test(const SelfTest& test);

constexpr std::string_view selftest_schema = "tuneproof.selftest/";

/// The sessions, and what they prove; that part is for readers and not read back.
Json self_test_to_json(const SelfTest& test);
/// Throws BadInput: `name`, the field and what is wrong with it. Unknown fields are ignored.
SelfTest self_test_from_json(const Json& json, const std::string& name);
/// The same from a file of at most 64 MiB.
SelfTest read_self_test(const std::filesystem::path& file);

}  // namespace harness::run
