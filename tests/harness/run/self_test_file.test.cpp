#include "harness/run/self_test_file.hpp"

#include "tests/harness/run/tested_pairs.hpp"

#include "harness/support/quantity.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <cstdlib>
#include <fstream>
#include <string>

using namespace harness;
using namespace harness::run;
using Catch::Matchers::ContainsSubstring;

namespace {

SelfTest made_up() {
  SelfTest test{.machine_class = "sha256:0123abc",
                .started = "2026-01-31T12:00:00+00:00",
                .commit = "abc1234",
                .seed = 0x1f,
                .seconds = 600,
                .pairs = {example::tested({example::session(Planted::nothing, Verdict::no_effect),
                                           example::session(Planted::slower, Verdict::hurts)})}};
  test.pairs.push_back({.name = "selftest/launch", .reason = "no CUDA device"});
  return test;
}

/// The document with one part of its text replaced.
std::string changed(const std::string& from, const std::string& to) {
  auto text = self_test_to_json(made_up()).dump();
  const auto at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

std::string complaint(const std::string& text) {
  try {
    self_test_from_json(parse_json(text, "s.json"), "s.json");
  } catch (const BadInput& error) {
    return error.what();
  }
  return "";
}

std::chrono::sys_seconds at(const std::string& text) { return utc_time(text).value(); }

/// A cache folder of its own, gone afterwards.
class Cache {
 public:
  Cache() {
    std::string name = (std::filesystem::temp_directory_path() / "tuneproof.XXXXXX").string();
    folder_ = mkdtemp(name.data());
    if (const char* const old = std::getenv("XDG_CACHE_HOME")) old_ = old;
    setenv("XDG_CACHE_HOME", folder_.c_str(), 1);
  }
  Cache(const Cache&) = delete;
  Cache& operator=(const Cache&) = delete;
  ~Cache() {
    std::filesystem::remove_all(folder_);
    if (old_.empty())
      unsetenv("XDG_CACHE_HOME");
    else
      setenv("XDG_CACHE_HOME", old_.c_str(), 1);
  }
  const std::filesystem::path& folder() const { return folder_; }

 private:
  std::filesystem::path folder_;
  std::string old_;
};

}  // namespace

TEST_CASE("a self-test survives its file", "[selftest]") {
  const auto sent = made_up();
  const auto got = self_test_from_json(parse_json(pretty(self_test_to_json(sent)), "s"), "s");
  CHECK(got.machine_class == sent.machine_class);
  CHECK(got.started == sent.started);
  CHECK(got.commit == sent.commit);
  CHECK(got.seed == sent.seed);
  CHECK(got.seconds == sent.seconds);
  REQUIRE(got.pairs.size() == 2);
  CHECK(got.pairs[0].name == sent.pairs[0].name);
  CHECK(got.pairs[0].sessions == sent.pairs[0].sessions);
  CHECK(got.pairs[0].aa_log_ratios == sent.pairs[0].aa_log_ratios);
  CHECK(got.pairs[1].reason == "no CUDA device");
}

TEST_CASE("a self-test that is malformed is refused in one sentence", "[selftest]") {
  CHECK(complaint("[]") == "s.json: expected an object, not array");
  CHECK(complaint("{}") == "s.json: 'schema' is missing");
  CHECK(complaint(changed("selftest/1.2", "selftest/2.0")) ==
        "s.json.schema: another tuneproof wrote version 2; this one reads version 1");
  CHECK(complaint(changed("tuneproof.selftest/1.2", "tuneproof.results/1.0")) ==
        "s.json.schema: expected 'tuneproof.selftest/1'");
  CHECK(complaint(changed("\"0x1f\"", "31")) == "s.json.seed: expected a string, not number");
  CHECK(complaint(changed("2026-01-31T", "yesterday ")) ==
        "s.json.started: expected a time like 2026-01-31T12:00:00+00:00");
  CHECK(complaint(changed("\"sd_round\":[0.005,0.005]", "\"sd_round\":[0.005]")) ==
        "s.json.pairs[0].sessions.sd_round: expected 2 values, one a session");
  CHECK(complaint(changed("\"sd_round\":[0.005,", "\"sd_round\":[null,")) ==
        "s.json.pairs[0].sessions.sd_round[0]: expected a number from 0");
  CHECK(complaint(changed("[\"no_effect\",", "[\"perhaps\",")) ==
        "s.json.pairs[0].sessions.verdict[0]: expected helps, no_effect, hurts or inconclusive");
  for (const auto* alpha : {"0", "1e-17", "1", "null"})
    CHECK(complaint(changed("\"alpha\":0.01", std::string("\"alpha\":") + alpha)) ==
          "s.json.alpha: expected a share from 1e-09 to 1");
  CHECK_THAT(complaint(changed("\"seconds\":600.0", "\"seconds\":1e999")), ContainsSubstring("s.json: "));
}

TEST_CASE("a cut-off file is refused in one sentence", "[selftest]") {
  const auto text = self_test_to_json(made_up()).dump();
  for (std::size_t n = 0; n < text.size(); n += 7) CHECK_FALSE(complaint(text.substr(0, n)).empty());
}

TEST_CASE("a deep file is refused", "[selftest]") {
  CHECK_FALSE(complaint(std::string(100'000, '[')).empty());
  CHECK_FALSE(complaint(std::string(100'000, '[') + std::string(100'000, ']')).empty());
}

TEST_CASE("a self-test is found again by its machine class for 30 days", "[selftest]") {
  const Cache cache;
  const auto test = made_up();
  CHECK_FALSE(cached_self_test(test.machine_class, at("2026-02-01T00:00:00+00:00")));
  const auto file = cache_self_test(test);
  REQUIRE(file);
  CHECK(*file == cache.folder() / "tuneproof/selftest/sha256-0123abc.json");
  CHECK(cached_self_test(test.machine_class, at("2026-02-01T00:00:00+00:00")));
  CHECK(cached_self_test(test.machine_class, at("2026-03-02T12:00:00+00:00")));
  CHECK_FALSE(cached_self_test(test.machine_class, at("2026-03-02T12:00:01+00:00")));
  CHECK_FALSE(cached_self_test(test.machine_class, at("2026-01-01T00:00:00+00:00")));  // from the future
  CHECK_FALSE(cached_self_test("sha256:fff", at("2026-02-01T00:00:00+00:00")));
}

TEST_CASE("a class without a hash gets a file name all the same", "[selftest]") {
  const Cache cache;
  auto test = made_up();
  test.machine_class = R"({"cpu":"a/b","gpu":null})";
  const auto file = cache_self_test(test);
  REQUIRE(file);
  CHECK(file->parent_path() == cache.folder() / "tuneproof/selftest");
  CHECK(cached_self_test(test.machine_class, at("2026-02-01T00:00:00+00:00")));
}

TEST_CASE("a damaged cache says which file it is", "[selftest]") {
  const Cache cache;
  const auto file = cache_self_test(made_up()).value();
  std::ofstream(file) << "{\"schema\": 7}";
  CHECK_THROWS_WITH(cached_self_test("sha256:0123abc", at("2026-02-01T00:00:00+00:00")),
                    file.string() + ".schema: expected a string, not number");
}

TEST_CASE("a time is read strictly", "[selftest]") {
  CHECK(utc_time("1970-01-02T00:00:01+00:00") == std::chrono::sys_seconds(std::chrono::seconds(86401)));
  CHECK_FALSE(utc_time("1970-01-02"));
  CHECK_FALSE(utc_time("1970-01-02T00:00:01+00:00 or so"));
}
