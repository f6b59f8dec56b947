#include "harness/core/setup.hpp"

#include "prices/command.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers.hpp>
#include <catch2/matchers/catch_matchers_exception.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <string>
#include <string_view>

using namespace prices;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::MessageMatches;
using harness::BadInput;

TEST_CASE("Google Benchmark's flags pass, newer ones too", "[flags]") {
  CHECK_NOTHROW(check_word("--benchmark_filter=a|b"));
  CHECK_NOTHROW(check_word("--benchmark_list_tests"));
  CHECK_NOTHROW(check_word("--benchmark_format=json"));
  CHECK_NOTHROW(check_word("--benchmark_color=yes"));
  CHECK_NOTHROW(check_word("--benchmark_dry_run"));
  CHECK_NOTHROW(check_word("--v=1"));
}

TEST_CASE("a word that is not a flag is refused", "[flags]") {
  CHECK_THROWS_MATCHES(
      check_word("memcpy"), BadInput,
      MessageMatches(ContainsSubstring("does not take 'memcpy'") && ContainsSubstring("--name=value")));
  CHECK_THROWS_MATCHES(check_word("--devcie=cpu"), BadInput,
                       MessageMatches(ContainsSubstring("'--devcie=cpu'; did you mean '--device'")));
}

TEST_CASE("a value that is none of the list is refused", "[flags]") {
  CHECK_THROWS_MATCHES(
      check_word("--benchmark_format=xml"), BadInput,
      MessageMatches(ContainsSubstring("--benchmark_format is one of console|json|csv, not 'xml'")));
  CHECK_THROWS_AS(check_word("--benchmark_time_unit=h"), BadInput);
  CHECK_THROWS_AS(check_word("--benchmark_format="), BadInput);
}

TEST_CASE("a number that no measurement can follow is refused", "[flags]") {
  CHECK_THROWS_MATCHES(check_word("--benchmark_repetitions=-2"), BadInput,
                       MessageMatches(ContainsSubstring("--benchmark_repetitions is a whole number from 1 to "
                                                        "100000, not '-2'")));
  for (const auto* value : {"0", "", "2.5", "1e3", "abc", "100001", "99999999999"})
    CHECK_THROWS_AS(check_word(std::string("--benchmark_repetitions=") + value), BadInput);
  CHECK_THROWS_MATCHES(check_word("--benchmark_min_time=-1"), BadInput,
                       MessageMatches(ContainsSubstring("a number of seconds from 0, not '-1'")));
  for (const auto* value : {"abc", "", "nan", "inf", "1h", "0.5ss", "100x", "1e400"})
    CHECK_THROWS_AS(check_word(std::string("--benchmark_min_time=") + value), BadInput);
  CHECK_THROWS_AS(check_word("--benchmark_min_warmup_time=-0.1"), BadInput);
}

TEST_CASE("numbers in every form that some version of Google Benchmark knows pass", "[flags]") {
  for (const auto* value : {"0", "0.01", "2", "1e-3", "0.5s"})
    CHECK_NOTHROW(check_word(std::string("--benchmark_min_time=") + value));
  CHECK_NOTHROW(check_word("--benchmark_repetitions=1"));
  CHECK_NOTHROW(check_word("--benchmark_repetitions=100000"));
}

TEST_CASE("what is neither true nor false is refused", "[flags]") {
  CHECK_NOTHROW(check_word("--benchmark_counters_tabular=True"));
  CHECK_NOTHROW(check_word("--benchmark_list_tests=1"));
  CHECK_THROWS_MATCHES(check_word("--benchmark_counters_tabular=maybe"), BadInput,
                       MessageMatches(ContainsSubstring("is true or false, not 'maybe'")));
  CHECK_THROWS_AS(check_word("--benchmark_color=maybe"), BadInput);
}

TEST_CASE("the context takes keys and values, but none of ours", "[flags]") {
  CHECK_NOTHROW(check_word("--benchmark_context=rack=7,note=a b"));
  CHECK_THROWS_AS(check_word("--benchmark_context=abc"), BadInput);
  CHECK_THROWS_MATCHES(
      check_word("--benchmark_context=rack=7,cuda=run"), BadInput,
      MessageMatches(ContainsSubstring(
          "own keys cuda, gpu, libtorch, other_cpu_share, tuneproof, whole, not 'rack=7,cuda=run'")));
}

TEST_CASE("a file without a name is refused", "[flags]") {
  CHECK_THROWS_AS(check_word("--benchmark_out="), BadInput);
}

TEST_CASE("the variables that stand for flags are held to the same", "[flags]") {
  const auto with = [](std::string_view name, const char* value) {
    return [name, value](const char* asked) { return name == asked ? value : nullptr; };
  };
  CHECK_NOTHROW(check_environment(with("BENCHMARK_REPETITIONS", "3")));
  CHECK_NOTHROW(check_environment(with("REPETITIONS", "-3")));
  CHECK_THROWS_MATCHES(check_environment(with("BENCHMARK_REPETITIONS", "-3")), BadInput,
                       MessageMatches(ContainsSubstring(
                           "BENCHMARK_REPETITIONS is a whole number from 1 to 100000, not '-3'")));
}

TEST_CASE("launches that wait for their kernels are refused", "[flags]") {
  const auto with = [](const char* value) {
    return [value](const char* asked) {
      return std::string_view("CUDA_LAUNCH_BLOCKING") == asked ? value : nullptr;
    };
  };
  CHECK_NOTHROW(refuse_blocking_launches(with(nullptr)));
  CHECK_NOTHROW(refuse_blocking_launches(with("")));
  CHECK_NOTHROW(refuse_blocking_launches(with("0")));
  CHECK_THROWS_MATCHES(
      refuse_blocking_launches(with("1")), BadInput,
      MessageMatches(ContainsSubstring("CUDA_LAUNCH_BLOCKING=1") && ContainsSubstring("unset it")));
}

TEST_CASE("what Google Benchmark leaves over is explained", "[flags]") {
  CHECK_THAT(unknown_word("--benchmark_fliter=x"),
             ContainsSubstring("no option '--benchmark_fliter=x'; did you mean '--benchmark_filter'"));
  CHECK(unknown_word("--benchmark_repetitions=abc") ==
        "--benchmark_repetitions does not take 'abc'; see tuneproof prices --help");
  CHECK(unknown_word("--benchmark_filter") ==
        "--benchmark_filter needs a value, written --benchmark_filter=...; see tuneproof prices --help");
}

TEST_CASE("the help of the flags fits 100 columns", "[flags]") {
  const auto help = flags_help();
  for (std::size_t at = 0; at < help.size();) {
    const auto end = help.find('\n', at);
    CHECK(end - at <= 100);
    at = end + 1;
  }
}
