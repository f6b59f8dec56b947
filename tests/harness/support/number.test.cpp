#include "harness/core/parse_number.hpp"
#include "harness/support/quantity.hpp"

#include <catch2/catch_test_macros.hpp>

using namespace harness;

TEST_CASE("no number that is not finite is one", "[number]") {
  for (const auto* text : {"nan", "-nan", "inf", "-inf", "infinity", "1e999", "", " 1", "1 ", "0x1p3"})
    CHECK_FALSE(parse_number<double>(text));
  CHECK(parse_number<double>("-1.5e3") == -1500);
}

TEST_CASE("a fraction is a number, or one over another", "[number]") {
  CHECK(parse_fraction("1/8") == 0.125);
  CHECK(parse_fraction("0.125") == 0.125);
  CHECK(parse_fraction("1.5/3") == 0.5);
  for (const auto* text : {"", "/", "1/", "/8", "1/0", "1/2/4", "1 /8", "1/x", "1e300/1e-300"})
    CHECK_FALSE(parse_fraction(text));
}

TEST_CASE("a time has three significant digits and the unit that suits it", "[report]") {
  CHECK(time_text(12.34e-6) == "12.3 us");
  CHECK(time_text(8.451e-6) == "8.45 us");
  CHECK(time_text(164e-6) == "164 us");
  CHECK(time_text(0.5e-9) == "0.50 ns");
  CHECK(time_text(4321) == "4321 s");
  CHECK(time_text(0) == "-");
}

TEST_CASE("a rate has the unit in which a person reads it", "[report]") {
  CHECK(rate_text(9.82e4, "B") == "98.2 kB/s");
  CHECK(rate_text(12, "B") == "12 B/s");
  CHECK(rate_text(22.5e6, "B") == "22.5 MB/s");
  CHECK(rate_text(999.6e6, "B") == "1 GB/s");
  CHECK(rate_text(25e9, "B") == "25 GB/s");
  CHECK(rate_text(1935e9, "B") == "1935 GB/s");
  CHECK(rate_text(248e9, "FLOP") == "248 GFLOP/s");
  CHECK(amount_text(1.02e9, "FLOP of products") == "1.02 GFLOP of products");
}

TEST_CASE("a small change is a share, and a large one a factor", "[report]") {
  CHECK(effect_text(0.0321) == "3.2 %");
  CHECK(effect_text(0.49) == "49 %");
  CHECK(effect_text(1.39) == "4.01 times");
}

TEST_CASE("a time that rounds up to the next unit is written in it", "[report]") {
  CHECK(time_text(999.4e-6) == "999 us");
  CHECK(time_text(999.7e-6) == "1.00 ms");
  CHECK(time_text(9.996e-3) == "10.0 ms");
  CHECK(time_text(99.96e-3) == "100 ms");
}

TEST_CASE("a change is written in percent with its interval", "[report]") {
  CHECK(change_text(0.517, Interval{0.511, 0.523}) == "-48.3 % [-48.9, -47.7]");
  CHECK(change_text(1.004, Interval{0.9999, 1.012}) == "+0.4 % [0.0, +1.2]");
  CHECK(change_text(0.5, Interval{0.1, 9.9}) == "-50.0 % [-90.0, +890]");
  CHECK(change_text(0.46, Interval{2e-7, 838279}) == "-54.0 % [-100, >+9900]");
  CHECK(change_text(0.46, Interval{0, 2}) == "-54.0 % [-100, +100]");
  CHECK(change_text(400, Interval{150, 20000}) == "+39900 % [+14900, >+1499900]");
  CHECK(change_text(5.2, std::nullopt) == "+420 %");
  CHECK(change_text(1, std::nullopt) == "0.0 %");
}

TEST_CASE("memory is written in powers of 1024", "[report]") {
  CHECK(memory_text(512) == "512 B");
  CHECK(memory_text(12288) == "12.0 KiB");
  CHECK(memory_text(317.5e6) == "303 MiB");
  CHECK(memory_text(0) == "0 B");
  CHECK(memory_text(1023.8 * 1024) == "1.00 MiB");
}

TEST_CASE("a plain number is whole where it can be", "[report]") {
  CHECK(plain_text(302) == "302");
  CHECK(plain_text(0.4131) == "0.413");
  CHECK(plain_text(1.25e-7) == "1.25e-07");
  CHECK(plain_text(0) == "0");
  CHECK(plain_text(12345) == "12345");
  CHECK(plain_text(9999.6) == "10000");
}

TEST_CASE("a large number has commas, and a tiny one in a fixed unit is below its last digit", "[report]") {
  CHECK(plain_text(12345678) == "12,345,678");
  CHECK(plain_text(2.5e9) == "2,500,000,000");
  CHECK(counted_text(999.6) == "1,000");
  CHECK(digits_text(9.82e-5) == "<0.0001");
  CHECK(digits_text(0.00982) == "0.0098");
}

TEST_CASE("a count that no integer holds is written in few digits", "[report]") {
  CHECK(counted_text(1e300) == "1e+300");
  CHECK(counted_text(-1e300) == "-1e+300");
  CHECK(plain_text(1e300) == "1e+300");
}
