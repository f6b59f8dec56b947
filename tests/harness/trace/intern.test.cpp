#include "harness/trace/intern.hpp"

#include <catch2/catch_test_macros.hpp>

namespace {

using harness::trace::understood;
using harness::trace::unescaped;

TEST_CASE("one text has one number", "[trace]") {
  harness::trace::Interner names;
  const auto id = names.intern("aten::mm");
  CHECK(names.intern("aten::mm") == id);
  CHECK(names.intern("aten::add") != id);
  CHECK(names.find("aten::add") == id + 1);
  CHECK_FALSE(names.find("aten"));
  CHECK(names.texts[id] == "aten::mm");
}

TEST_CASE("a backslash in a name is not taken for an escape", "[trace]") {
  CHECK(understood(R"(C:\\new)").text == R"(C:\new)");
  CHECK_FALSE(understood(R"(C:\\new)").backslashes);
}

TEST_CASE("a frame of Python's whose backslashes happen to be escapes keeps them", "[trace]") {
  for (const auto* frame :
       {R"(torch\nn\functional.py(3029): binary_cross_entropy)", R"(src\train.py(7): <module>)",
        R"(torch\_tensor.py(396): backward)", R"(a\runs\begin\fit.py(1): f)"}) {
    CHECK(understood(frame).text == frame);
    CHECK(understood(frame).backslashes);
  }
  CHECK(understood(R"(torch\\nn\\functional.py(3029): f)").text == R"(torch\nn\functional.py(3029): f)");
  CHECK(understood(R"(two\nlines)").text == "two\nlines");
}

TEST_CASE("of text whose backslashes are not escaped they stay", "[trace]") {
  for (const auto* text : {R"(C:\new)", R"(\d)", R"(a\u12)", "\\"}) {
    CHECK(understood(text).text == text);
    CHECK(understood(text).backslashes);
  }
  CHECK(understood(R"(\d \"x\")").text == R"(\d "x")");
}

TEST_CASE("all escapes of JSON are understood", "[trace]") {
  CHECK(unescaped(R"(\"\\\/\b\f\n\r\t)") == "\"\\/\b\f\n\r\t");
  CHECK(unescaped(R"(\u00e9\u20ac)") == "\xc3\xa9\xe2\x82\xac");
  CHECK(unescaped(R"(\ud83d\ude00)") == "\xf0\x9f\x98\x80");
}

TEST_CASE("half a surrogate pair becomes the replacement character", "[trace]") {
  CHECK(unescaped(R"(\ud83dx)") == "\xef\xbf\xbdx");
}

TEST_CASE("control characters are shown as question marks", "[trace]") {
  CHECK(harness::trace::printable("a\x1b[31m\n") == "a?[31m?");
  CHECK(harness::trace::printable("\xc2\x9b\x7f\xc3\xa9") == "??\xc3\xa9");
}

TEST_CASE("a malformed escape is refused", "[trace]") {
  CHECK_FALSE(unescaped(R"(\x)"));
  CHECK_FALSE(unescaped(R"(\u12g4)"));
  CHECK_FALSE(unescaped("\\"));
}

}  // namespace
