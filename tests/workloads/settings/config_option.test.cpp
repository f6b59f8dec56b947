#include "workloads/config_option.hpp"

#include "harness/core/setup.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <string>

namespace {

using Catch::Matchers::ContainsSubstring;
using harness::Options;

TEST_CASE("data that are not there, or that nobody knows, are refused before a worker starts", "[settings]") {
  const auto refuses = [](Options options, const std::string& with) {
    CHECK_THROWS_WITH(workloads::resolve_options(options), ContainsSubstring(with));
  };
  for (const auto* name : {"text", "images", "cifar10", "graph"})
    refuses({{name, "/nosuch"}}, "/nosuch: cannot be read: No such file or directory");
  refuses({{"data", "brca=/nosuch"}}, "/nosuch: cannot be read");
  refuses({{"data", "foo=bar"}}, "--data: \"foo=bar\" is not one of synthetic");
  refuses({{"graph", "/"}, {"scale", "0.5"}},
          "--scale: you can scale only the drawn graph, not the one in a folder");
  refuses({{"scale", "0"}}, "--scale: \"0\" is not a number above 0");
}

TEST_CASE("a scale may be a fraction, and is kept as its number", "[settings]") {
  Options options{{"scale", "1/8"}};
  workloads::resolve_options(options);
  CHECK(options.at("scale") == "0.125");
  options["scale"] = "0.1";
  workloads::resolve_options(options);
  CHECK(options.at("scale") == "0.1");
  options["scale"] = "32/1";
  CHECK_THROWS_WITH(workloads::resolve_options(options), ContainsSubstring("above 0 and up to 16"));
}

TEST_CASE("a configuration is read where it is named", "[settings]") {
  Options options{{"config", "benchmark"}};
  workloads::resolve_options(options);
  CHECK(options.at("config").starts_with("{"));
}

}  // namespace
