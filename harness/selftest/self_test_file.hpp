// A self-test as a JSON file: results/schema/selftest.schema.json.
#pragma once

#include "harness/selftest/self_test.hpp"

#include <filesystem>
#include <string>
#include <string_view>

namespace harness::selftest {

constexpr std::string_view selftest_schema = "tuneproof.selftest/";
constexpr int selftest_major = 1;  // readers refuse a higher one
constexpr int selftest_minor = 1;  // adds optional fields only

/// The sessions, and what they prove; that part is for readers and not read back.
Json self_test_to_json(const SelfTest& test);
/// Throws BadInput: `name`, the field and what is wrong with it. Unknown fields are ignored.
SelfTest self_test_from_json(const Json& json, const std::string& name);
/// The same from a file of at most 64 MiB.
SelfTest read_self_test(const std::filesystem::path& file);

}  // namespace harness::selftest
