#include "harness/trace/intern.hpp"

#include <catch2/catch_test_macros.hpp>

#include <stdexcept>

namespace {

using harness::trace::unescaped;

TEST_CASE("one name has one number, however it is spelled", "[trace]") {
  harness::trace::Interner names;
  const auto id = names.intern("aten::mm");
  CHECK(names.intern("aten::mm") == id);
  CHECK(names.intern(R"(aten\u003a:mm)") == id);
  CHECK(names.intern("aten::add") != id);
  CHECK(names.names[id] == "aten::mm");
}

TEST_CASE("a backslash in a name is not taken for an escape", "[trace]") {
  harness::trace::Interner names;
  const auto id = names.intern(R"(C:\\new)");
  CHECK(names.names[id] == R"(C:\new)");
}

TEST_CASE("all escapes of JSON are understood", "[trace]") {
  CHECK(unescaped(R"(\"\\\/\b\f\n\r\t)") == "\"\\/\b\f\n\r\t");
  CHECK(unescaped(R"(\u00e9\u20ac)") == "\xc3\xa9\xe2\x82\xac");
  CHECK(unescaped(R"(\ud83d\ude00)") == "\xf0\x9f\x98\x80");
}

TEST_CASE("half a surrogate pair becomes the replacement character", "[trace]") {
  CHECK(unescaped(R"(\ud83dx)") == "\xef\xbf\xbdx");
}

TEST_CASE("control characters of a name are shown as question marks, and the name is found again",
          "[trace]") {
  harness::trace::Interner names;
  const auto id = names.intern(R"(a\u001b[31m\n)");
  CHECK(names.names[id] == "a?[31m?");
  CHECK(names.intern(R"(a\u001b[31m\n)") == id);
  CHECK(harness::trace::printable("\xc2\x9b\x7f\xc3\xa9") == "??\xc3\xa9");
}

TEST_CASE("a malformed escape is refused", "[trace]") {
  CHECK_THROWS_AS(unescaped(R"(\x)"), std::invalid_argument);
  CHECK_THROWS_AS(unescaped(R"(\u12g4)"), std::invalid_argument);
  CHECK_THROWS_AS(unescaped("\\"), std::invalid_argument);
}

}  // namespace
