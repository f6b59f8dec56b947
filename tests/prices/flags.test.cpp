#include "prices/flags.hpp"

#include "harness/setup.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers.hpp>
#include <catch2/matchers/catch_matchers_exception.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

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

TEST_CASE("a word that is no flag is refused", "[flags]") {
  CHECK_THROWS_MATCHES(
      check_word("memcpy"), BadInput,
      MessageMatches(ContainsSubstring("no use for 'memcpy'") && ContainsSubstring("--name=value")));
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
