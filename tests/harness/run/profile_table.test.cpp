#include "harness/run/table_row.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

namespace {

using namespace harness;
using namespace harness::results;
using namespace harness::run;
using Catch::Matchers::ContainsSubstring;

Row profiled() {
  Row row;
  row.name = "stgym/device_indices/unit:step/device:cpu";
  row.profile = RowProfile{
      .schedule = {},
      .forms = {{.form = Form::naive,
                 .runs = 20,
                 .seconds_on = 0.012,
                 .seconds_before = 0.010,
                 .seconds_after = 0.010}},
      .figures = {{"Self CPU", "s", 0.012, 0.009, PublishedChange{50.3, 7.0, "A30, 2 epochs"}},
                  {"Self CUDA", "s", {}, {}, PublishedChange{11.9, 3.9, "A30, 2 epochs"}},
                  {"aten::copy_ calls", "calls", 237, 237, PublishedChange{8335, {}, "A30, 2 epochs"}},
                  {"Memcpy HtoD calls", "calls", {}, {}, {}}}};
  return row;
}

TEST_CASE("each column stands beside what was published", "[profile]") {
  const auto text = profile_rows(profiled(), {});
  CHECK_THAT(text, ContainsSubstring("12.0 ms   9.00 ms   -25.0 %  50.3 -> 7 s (-86.1 %); A30, 2 epochs"));
  CHECK_THAT(text, ContainsSubstring("237       237       0 %  8335 before; A30, 2 epochs"));
}

TEST_CASE("a column of the device says on the host that there was none", "[profile]") {
  const auto text = profile_rows(profiled(), {});
  CHECK_THAT(
      text, ContainsSubstring("Self CUDA                  no device: not measured  11.9 -> 3.9 s (-67.2 %)"));
  CHECK_THAT(text, ContainsSubstring("Memcpy HtoD calls          no device: not measured\n"));
}

TEST_CASE("a count of zero that was measured is a number", "[profile]") {
  auto row = profiled();
  row.device = {Device::Kind::cuda, 0};
  row.profile->figures = {{"Memcpy HtoD calls", "calls", 40, 0, {}}};
  CHECK_THAT(profile_rows(row, {}), ContainsSubstring("40         0    -100 %"));
}

TEST_CASE("what the profiler cost is said", "[profile]") {
  CHECK_THAT(profile_rows(profiled(), {}),
             ContainsSubstring(
                 "first side: 12.0 ms a run with the profiler on; without it 10.0 ms before and 10.0 ms"));
  CHECK_THAT(profiler_cost(profiled().profile->forms[0]), ContainsSubstring(": +20.0 %"));
}

TEST_CASE("a cost below the difference of the two passes without the profiler is unknown", "[profile]") {
  FormProfile form{.seconds_on = 0.0105, .seconds_before = 0.008, .seconds_after = 0.012};
  CHECK_THAT(profiler_cost(form), ContainsSubstring("the cost is unknown"));
  form.seconds_on = 0.0145;
  CHECK_THAT(profiler_cost(form), !ContainsSubstring("the cost is unknown"));
}

TEST_CASE("a row that could not be profiled says why", "[profile]") {
  auto row = profiled();
  row.profile = RowProfile{.schedule = {}, .forms = {}, .figures = {}, .reason = "the worker exited with 1"};
  CHECK_THAT(profile_rows(row, {}), ContainsSubstring("not profiled: the worker exited with 1"));
}

}  // namespace
