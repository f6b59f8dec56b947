// The inputs of the fuzzer, and those that once failed, through the fuzzer's own entry.
#include <catch2/catch_message.hpp>
#include <catch2/catch_test_macros.hpp>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer calls it so
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

TEST_CASE("every results file that the fuzzer starts from is read or refused", "[run_file]") {
  int seen = 0;
  for (const auto& entry : std::filesystem::directory_iterator("tests/fuzz/corpus/read_results")) {
    INFO(entry.path().string());
    std::ifstream in(entry.path(), std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(in), {}};
    CHECK(LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()) == 0);
    ++seen;
  }
  CHECK(seen > 0);
}
