#include "tests/harness/trace/made_up.hpp"

#include "harness/run/run_profile.hpp"
#include "harness/support/scratch_folder.hpp"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>

namespace {

using namespace harness;
using namespace harness::run;
using namespace harness::results;
using namespace harness::trace;

/// Two runs of a millisecond with two copies of 100 us; on a device also 30 us each there.
std::string two_runs(bool device) {
  std::vector<tests::Made> events;
  for (int i = 0; i < 2; ++i) {
    const double t = 2000.0 * i;
    events.push_back(tests::range("ProfilerStep#" + std::to_string(i), t, 1000));
    for (int c = 0; c < 2; ++c) {
      const int id = 2 * i + c + 1;
      events.push_back(tests::op("aten::copy_", t + 200 * c, 100));
      if (!device) continue;
      events.push_back(tests::call("cudaMemcpyAsync", t + 200 * c + 10, 20, id));
      events.push_back(
          tests::on_stream("gpu_memcpy", "Memcpy HtoD (Pageable -> Device)", t + 200 * c + 40, 30, id));
    }
  }
  std::string text;
  for (const auto& made : events) text += (text.empty() ? "[" : ",\n") + tests::json(made);
  return text + "]";
}

std::vector<ProfileFigure> figures(bool device) {
  const ScratchFolder folder(std::filesystem::temp_directory_path());
  const auto file = folder.path() / "a.json";
  std::ofstream(file) << two_runs(device);
  return profile_figures({{.form = Form::naive, .runs = 2, .traces = {file.string()}}});
}

const ProfileFigure& named(const std::vector<ProfileFigure>& figures, std::string_view name) {
  const auto found = std::ranges::find(figures, name, &ProfileFigure::name);
  REQUIRE(found != figures.end());
  return *found;
}

bool near(const std::optional<double>& value, double expected) {
  return value && std::abs(*value - expected) < 1e-9;
}

TEST_CASE("the published columns are those of one run", "[profile]") {
  const auto all = figures(true);
  CHECK(near(named(all, "Self CPU").naive, 1000e-6));
  CHECK(near(named(all, "Self CUDA").naive, 60e-6));
  CHECK(near(named(all, "aten::copy_ calls").naive, 2));
  CHECK(near(named(all, "aten::copy_ Self CPU").naive, 2 * 80e-6));
  CHECK(near(named(all, "aten::copy_ Self CUDA").naive, 60e-6));
  CHECK(near(named(all, "Memcpy HtoD calls").naive, 2));
  CHECK(near(named(all, "Memcpy HtoD time").naive, 60e-6));
}

TEST_CASE("without a device its columns are empty and never zero", "[profile]") {
  const auto all = figures(false);
  CHECK(near(named(all, "aten::copy_ Self CPU").naive, 2 * 100e-6));
  for (const auto* name : {"Self CUDA", "aten::copy_ Self CUDA", "Memcpy HtoD calls", "Memcpy HtoD time"})
    CHECK_FALSE(named(all, name).naive);
}

TEST_CASE("a form that was not profiled has no figures", "[profile]") {
  for (const auto& figure : figures(true)) CHECK_FALSE(figure.optimized);
}

}  // namespace
