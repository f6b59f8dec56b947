#include "harness/support/fd.hpp"
#include "harness/support/read_text.hpp"

#include <catch2/catch_test_macros.hpp>

#include <string_view>

namespace harness::inline support {
namespace {

void put(const Pipe& pipe, std::string_view text) {
  REQUIRE(write(pipe.write_end.get(), text.data(), text.size()) == static_cast<ssize_t>(text.size()));
}

TEST_CASE("Lines come out whole, however they arrive", "[lines]") {
  Pipe pipe;
  set_nonblocking(pipe.read_end.get());
  LineReader lines;
  put(pipe, "one\ntw");
  CHECK(lines.read(pipe.read_end.get()));
  CHECK(lines.next() == "one");
  CHECK_FALSE(lines.next());
  put(pipe, "o\n\n");
  CHECK(lines.read(pipe.read_end.get()));
  CHECK(lines.next() == "two");
  CHECK(lines.next() == "");
}

TEST_CASE("What is left at the end of the stream is not a line, but can be asked for", "[lines]") {
  Pipe pipe;
  LineReader lines;
  put(pipe, "one\nhalf");
  pipe.write_end.close();
  CHECK_FALSE(lines.read(pipe.read_end.get()));
  CHECK(lines.next() == "one");
  CHECK_FALSE(lines.next());
  CHECK(lines.rest() == "half");
}

TEST_CASE("A line without an end is given out in pieces", "[lines]") {
  Pipe pipe;
  set_nonblocking(pipe.read_end.get());
  LineReader lines(8);
  put(pipe, "0123456789");
  CHECK(lines.read(pipe.read_end.get()));
  CHECK(lines.next() == "0123456789");
  CHECK_FALSE(lines.next());
}

}  // namespace
}  // namespace harness::inline support
