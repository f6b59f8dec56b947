#include "workloads/config_option.hpp"

#include "harness/core/setup.hpp"

#include "workloads/tunable_workloads.hpp"
#include "workloads/tuning/settings_option.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <filesystem>
#include <fstream>
#include <string>
#include <unistd.h>

namespace {

using namespace workloads::tuning;
using Catch::Matchers::ContainsSubstring;
using harness::Options;

struct File {
  std::filesystem::path path =
      std::filesystem::temp_directory_path() / ("tuneproof-settings-" + std::to_string(getpid()) + ".json");
  explicit File(const std::string& text) { std::ofstream(path) << text; }
  ~File() { std::filesystem::remove(path); }
};

Options resolved(const std::string& text) {
  const File file(text);
  Options options{{"config", file.path}};
  workloads::resolve_options(options);
  return options;
}

constexpr auto good =
    R"({"schema": "tuneproof-settings/1", "workload": "gpt", "knobs": {"batch_size": "32", "workers": "2"}})";

TEST_CASE("a file of settings takes the place of --config, and what it leaves out is standard",
          "[settings]") {
  const auto options = resolved(good);
  CHECK_FALSE(options.contains("config"));
  const auto all = settings_in({options, {}, 2}, *workloads::tunable_workload("gpt"));
  REQUIRE(all.size() == 1);
  CHECK(all[0].at("batch_size") == "32");
  CHECK(all[0].at("workers") == "2");
  CHECK(all[0].at("precision") == "fp32");
  CHECK(settings_in({options, {}, 2}, *workloads::tunable_workload("unet")).empty());
}

TEST_CASE("options that the settings were found with come along, those that are given win", "[settings]") {
  const File file(
      R"({"schema": "tuneproof-settings/1", "workload": "gpt", "knobs": {}, "options": {"text": "/tmp/a", "scale": "1"}})");
  Options options{{"config", file.path}, {"text", "/dev/null"}};
  workloads::resolve_options(options);
  CHECK(options.at("text") == "/dev/null");
  CHECK(options.at("scale") == "1");
}

TEST_CASE("data that are not there, or that nobody knows, are refused before a worker starts", "[settings]") {
  const auto refuses = [](Options options, const std::string& with) {
    CHECK_THROWS_WITH(workloads::resolve_options(options), ContainsSubstring(with));
  };
  for (const auto* name : {"text", "images", "cifar10"})
    refuses({{name, "/nosuch"}}, "/nosuch: cannot be read: No such file or directory");
  refuses({{"data", "brca=/nosuch"}}, "/nosuch: cannot be read");
  refuses({{"data", "foo=bar"}}, "--data: \"foo=bar\" is not one of synthetic");
  refuses({{"scale", "0"}}, "--scale: \"0\" is not a number above 0");
}

TEST_CASE("a configuration of STGym is still one", "[settings]") {
  Options options{{"config", "benchmark"}};
  workloads::resolve_options(options);
  CHECK(options.at("config").starts_with("{"));
  CHECK_FALSE(options.contains("settings"));
}

TEST_CASE("wrong settings are refused by place", "[settings]") {
  const auto with = [](const std::string& knobs) {
    return Options{{"settings", R"({"workload": "gpt", "settings": [)" + knobs + "]}"}};
  };
  CHECK_THROWS_WITH(settings_in({with(R"({"colour": "red"})"), {}, 2}, *workloads::tunable_workload("gpt")),
                    ContainsSubstring("colour"));
  CHECK_THROWS_WITH(settings_in({with(R"({"batch_size": "7"})"), {}, 2}, *workloads::tunable_workload("gpt")),
                    ContainsSubstring("settings[0].batch_size") && ContainsSubstring("4, 8, 16, 32 or 64"));
  CHECK_THROWS_WITH(settings_in({with(R"({"execution": "compiled", "accumulation": "2"})"), {}, 2},
                                *workloads::tunable_workload("gpt")),
                    ContainsSubstring("takes a batch whole"));
  CHECK_THROWS_WITH(resolved(R"({"schema": "tuneproof-settings/1")"),
                    ContainsSubstring("tuneproof-settings"));
}

TEST_CASE("a step without settings of its workload says where they come from", "[settings]") {
  CHECK_THAT(workloads::why_not({}, "gpt/tuned"), ContainsSubstring(R"("workload": "gpt")"));
  CHECK(workloads::why_not(resolved(good), "gpt/tuned").empty());
  CHECK_THAT(workloads::why_not(resolved(good), "unet/tuned"), ContainsSubstring("gpt's"));
  CHECK(workloads::why_not({}, "gpt/bf16").empty());
}

}  // namespace
