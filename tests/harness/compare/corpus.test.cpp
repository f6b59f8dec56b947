// The inputs of the fuzzers, and those that once failed, through the fuzzers' own entries.
#include <catch2/catch_message.hpp>
#include <catch2/catch_test_macros.hpp>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

// NOLINTBEGIN(readability-identifier-naming): libFuzzer calls it so
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
// NOLINTEND(readability-identifier-naming)
extern "C" int read_interrupted_input(const std::uint8_t* data, std::size_t size);

namespace {

using Entry = int (*)(const std::uint8_t*, std::size_t);

int feed(const std::string& folder, Entry entry) {
  int seen = 0;
  for (const auto& file : std::filesystem::directory_iterator("tests/fuzz/corpus/" + folder)) {
    INFO(file.path().string());
    std::ifstream in(file.path(), std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(in), {}};
    CHECK(entry(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()) == 0);
    ++seen;
  }
  return seen;
}

}  // namespace

TEST_CASE("every results file that the fuzzer starts from is read or refused", "[run_file]") {
  CHECK(feed("read_results", LLVMFuzzerTestOneInput) > 0);
}

TEST_CASE("every interrupted file that the fuzzer starts from is read or refused", "[results]") {
  CHECK(feed("read_interrupted", read_interrupted_input) > 0);
}
