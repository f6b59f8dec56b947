#include "harness/trace/trace_text.hpp"

#include "tests/packed.hpp"

#include "harness/core/setup.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_exception.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <cstring>
#include <fstream>
#include <string>

namespace {

using namespace harness;
using namespace harness::trace;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::MessageMatches;
using tests::packed;

std::string unpacked(const std::string& bytes, const ReadLimits& limits = {}) {
  return std::string(unpack_text(bytes, "t.gz", limits).view());
}

TEST_CASE("gzip data are unpacked, one member or several", "[trace]") {
  CHECK(unpacked(packed("hello")) == "hello");
  const std::string long_text(100'000, 'x');
  CHECK(unpacked(packed(long_text) + packed("tail")) == long_text + "tail");
  CHECK(unpacked(packed("")).empty());
}

TEST_CASE("zeros behind the last member are padding", "[trace]") {
  CHECK(unpacked(packed("hello") + std::string(512, '\0')) == "hello");
}

TEST_CASE("gzip data that are cut short are refused at any length", "[trace]") {
  const std::string whole = packed("hello, hello, hello");
  for (std::size_t length = 2; length < whole.size(); ++length)
    CHECK_THROWS_AS(unpacked(whole.substr(0, length)), BadInput);
}

TEST_CASE("data that unpack beyond the limit are refused with the limit and its flag", "[trace]") {
  const ReadLimits limits{.unpacked_bytes = 1000, .flag = "--max"};
  const std::string large = packed(std::string(1001, 'x'));
  CHECK_THROWS_MATCHES(unpacked(large, limits), BadInput, MessageMatches(ContainsSubstring("1000")));
  CHECK_THROWS_MATCHES(unpacked(large, limits), BadInput, MessageMatches(ContainsSubstring("--max")));
  CHECK(unpacked(packed(std::string(1000, 'x')), limits).size() == 1000);
}

TEST_CASE("a member that lies about its size is unpacked up to the limit only", "[trace]") {
  std::string bomb = packed(std::string(1'000'000, 'x'));
  bomb.replace(bomb.size() - 4, 4, std::string("\x01\0\0\0", 4));
  const ReadLimits limits{.unpacked_bytes = 10'000};
  CHECK_THROWS_MATCHES(unpacked(bomb, limits), BadInput, MessageMatches(ContainsSubstring("10000")));
}

TEST_CASE("several small members may not exceed the limit together", "[trace]") {
  const std::string member = packed(std::string(600, 'x'));
  CHECK_THROWS_AS(unpacked(member + member, ReadLimits{.unpacked_bytes = 1000}), BadInput);
}

TEST_CASE("a plain file beyond the limit is refused before it is read", "[trace]") {
  const auto file = std::filesystem::temp_directory_path() / "tuneproof_text_test.json";
  std::ofstream(file) << std::string(100, ' ');
  CHECK_THROWS_MATCHES(load_text(file, ReadLimits{.unpacked_bytes = 99}), BadInput,
                       MessageMatches(ContainsSubstring("99")));
  CHECK(load_text(file, ReadLimits{.unpacked_bytes = 100}).size() == 100);
  std::filesystem::remove(file);
}

TEST_CASE("a text grows with what it holds, and its beginning can be given back", "[trace]") {
  constexpr std::size_t large = std::size_t{8} << 20;
  Text text(5, "t");
  std::memcpy(text.data(), "hello", 5);
  text.resize(large, "t");
  CHECK(text.view().substr(0, 6) == std::string_view("hello\0", 6));
  std::memset(text.data(), 'x', large);
  text.forget(large - 1);
  CHECK(text.view().back() == 'x');
  CHECK(text.view().front() == '\0');
}

TEST_CASE("a file that is missing, or no file at all, is refused by name", "[trace]") {
  CHECK_THROWS_MATCHES(load_text("no/such.json", {}), BadInput,
                       MessageMatches(ContainsSubstring("no/such.json")));
  CHECK_THROWS_MATCHES(load_text("/", {}), BadInput, MessageMatches(ContainsSubstring("/: ")));
}

}  // namespace
