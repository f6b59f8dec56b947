#include "harness/libtorch/make_package.hpp"

#include "tests/harness/libtorch/workshop.hpp"

#include "harness/support/read_text.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers.hpp>
#include <catch2/matchers/catch_matchers_exception.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <cstdlib>
#include <fstream>
#include <string>

namespace {

using namespace harness;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::MessageMatches;
using tests::small_order;
using tests::Workshop;
using tests::write_program;
namespace fs = std::filesystem;

TEST_CASE("a package is made once and then found", "[compiled]") {
  const Workshop workshop;
  const auto first = make_package(small_order(), workshop.torch());
  const auto second = make_package(small_order(), workshop.torch());
  CHECK(workshop.times_called() == 1);
  CHECK(fs::exists(first.package));
  CHECK(second.package == first.package);
  CHECK(second.seconds == 2.5);
}

TEST_CASE("Python gets the source, the shapes and the threads", "[compiled]") {
  const Workshop workshop;
  make_package(small_order(), workshop.torch());
  CHECK(
      read_text(workshop.job(), 4096) ==
      R"({"source":"def step(x):\n    return (x,)\n","inputs":[{"type":"float32","shape":[4],"varies":[],"channels_last":false}],)"
      R"("device":"cpu","mode":"default","threads":1,"torch":"2.11.0"})");
}

TEST_CASE("whatever changes the code makes another package", "[compiled]") {
  const Workshop workshop;
  make_package(small_order(), workshop.torch());
  auto order = small_order();
  SECTION("the source") { order.source += "\n"; }
  SECTION("a size") { order.inputs.front().sizes = {5}; }
  SECTION("a size that varies") { order.inputs.front().varies = {0}; }
  SECTION("another layout") { order.inputs.front().channels_last = true; }
  SECTION("a type") { order.inputs.front().type = "float64"; }
  SECTION("the threads") { order.threads = 2; }
  SECTION("the mode") { order.mode = CompileMode::max_autotune; }
  SECTION("the compiler") { write_program(workshop.folder.path() / "c++", "echo made-up compiler 1.1\n"); }
  make_package(order, workshop.torch());
  CHECK(workshop.times_called() == 2);
}

TEST_CASE("where torch gives a reason, the row is skipped with it and nothing is kept", "[compiled]") {
  const Workshop workshop;
  workshop.python("echo '{\"reason\": \"there is no Triton\"}'\n");
  for (int i = 0; i < 2; ++i)
    CHECK_THROWS_MATCHES(make_package(small_order(), workshop.torch()), Skip,
                         MessageMatches(ContainsSubstring("there is no Triton")));
}

TEST_CASE("a package whose making was cut off is made again", "[compiled]") {
  const Workshop workshop;
  workshop.python("echo half > $3; kill -9 $$\n");
  CHECK_THROWS_MATCHES(make_package(small_order(), workshop.torch()), Skip,
                       MessageMatches(ContainsSubstring("was killed by signal 9")));
  workshop.python("echo called >> " + workshop.calls().string() +
                  "; echo whole > $3; echo '{\"seconds\": 1}'\n");
  const auto made = make_package(small_order(), workshop.torch());
  CHECK(workshop.times_called() == 1);
  CHECK(read_text(made.package, 64) == "whole\n");
}

TEST_CASE("without a C++ compiler nothing is compiled, and the reason names the missing program",
          "[compiled]") {
  const Workshop workshop;
  fs::remove(workshop.folder.path() / "c++");
  CHECK_THROWS_MATCHES(make_package(small_order(), workshop.torch()), Skip,
                       MessageMatches(ContainsSubstring("torch.compile needs a C++ compiler") &&
                                      ContainsSubstring("c++ cannot be started")));
  CHECK(workshop.times_called() == 0);
}

TEST_CASE("a package or a note that is broken is made again, once", "[compiled]") {
  const Workshop workshop;
  const auto first = make_package(small_order(), workshop.torch());
  auto note = first.package;
  note.replace_extension(".json");
  SECTION("the package is cut") { fs::resize_file(first.package, 2); }
  SECTION("the package is empty") { fs::resize_file(first.package, 0); }
  SECTION("the package is another function's") { std::ofstream(first.package) << "other code\n"; }
  SECTION("the note is cut") { fs::resize_file(note, 20); }
  SECTION("the note is empty") { fs::resize_file(note, 0); }
  SECTION("the note is no object") { std::ofstream(note) << "[]"; }
  SECTION("the seconds are a word") { std::ofstream(note) << R"({"seconds": "many"})"; }
  for (int i = 0; i < 2; ++i) CHECK(make_package(small_order(), workshop.torch()).seconds == 2.5);
  CHECK(workshop.times_called() == 2);
  CHECK(read_text(first.package, 64) == "code\n");
}

TEST_CASE("a package that was brought with its note from another machine is made again", "[compiled]") {
  const Workshop workshop;
  const auto here = make_package(small_order(), workshop.torch()).package;
  write_program(workshop.folder.path() / "c++", "echo made-up compiler of elsewhere\n");
  const auto elsewhere = make_package(small_order(), workshop.torch()).package;
  for (const auto* part : {".pt2", ".json"})
    fs::copy_file(fs::path(here).replace_extension(part), fs::path(elsewhere).replace_extension(part),
                  fs::copy_options::overwrite_existing);
  make_package(small_order(), workshop.torch());
  CHECK(workshop.times_called() == 3);
}

TEST_CASE("a note of an older program, without the package's hash, holds", "[compiled]") {
  const Workshop workshop;
  auto note = make_package(small_order(), workshop.torch()).package;
  std::ofstream(note.replace_extension(".json")) << R"({"seconds": 7})";
  CHECK(make_package(small_order(), workshop.torch()).seconds == 7);
}

TEST_CASE("where no package can be kept, the row is skipped before anything is compiled", "[compiled]") {
  const Workshop workshop;
  std::ofstream(workshop.folder.path() / "cache") << "a file in the place of the folder";
  CHECK_THROWS_MATCHES(
      make_package(small_order(), workshop.torch()), Skip,
      MessageMatches(ContainsSubstring("compiled packages need a folder that can be written: ") &&
                     ContainsSubstring((workshop.folder.path() / "cache").string())));
  CHECK(workshop.times_called() == 0);
}

TEST_CASE("CXX's first word is the program, for the script too", "[compiled]") {
  const Workshop workshop;
  const auto program = (workshop.folder.path() / "c++").string();
  const auto seen = workshop.folder.path() / "seen";
  setenv("CXX", (program + " -O2").c_str(), 1);
  // The first of two is what Python takes; a shell may take the other.
  workshop.python("tr '\\0' '\\n' < /proc/$$/environ | grep -m1 ^CXX= > " + seen.string() +
                  "; echo code > $3; echo '{\"seconds\": 1}'\n");
  make_package(small_order(), workshop.torch());
  CHECK(read_text(seen, 4096) == "CXX=" + program + "\n");
}

TEST_CASE("an empty CXX means g++", "[compiled]") {
  const Workshop workshop;
  write_program(workshop.folder.path() / "g++", "echo made-up g++ 1.0\n");
  const std::string path = std::getenv("PATH");
  setenv("PATH", (workshop.folder.path().string() + ":" + path).c_str(), 1);
  setenv("CXX", "", 1);
  CHECK_NOTHROW(make_package(small_order(), workshop.torch()));
  setenv("PATH", path.c_str(), 1);
}

TEST_CASE("a Python that answers nonsense is the reason", "[compiled]") {
  const Workshop workshop;
  workshop.python("echo hello\n");
  CHECK_THROWS_MATCHES(make_package(small_order(), workshop.torch()), Skip,
                       MessageMatches(ContainsSubstring("python3.11 did not answer as Python does")));
}

}  // namespace
