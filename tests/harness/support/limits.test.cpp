#include "harness/support/limits.hpp"

#include "harness/core/setup.hpp"
#include "harness/support/field.hpp"

#include <catch2/catch_test_macros.hpp>

#include <filesystem>

namespace {

using namespace harness;

std::string said_of(void (*throws)()) {
  try {
    throws();
  } catch (const std::exception& error) {
    return sentence_of(error);
  }
  return {};
}

TEST_CASE("what nobody has caught is said without the names of C++", "[limits]") {
  CHECK(said_of([] { static_cast<void>(std::filesystem::file_size("no such file")); }) ==
        "no such file: No such file or directory");
  CHECK(said_of([] { Json("\xff").dump(); }) == "a name or a value given here is not UTF-8");
  CHECK(said_of([] { Json(1).at("x"); }).starts_with("cannot use at() with"));
  CHECK(said_of([] { throw BadInput("x.json: is empty"); }) == "x.json: is empty");
}

}  // namespace
