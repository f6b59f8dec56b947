// The inputs of the fuzzer, and those that once failed, through the fuzzer's own entry.
#include <catch2/catch_test_macros.hpp>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer calls it so
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

TEST_CASE("every input that the fuzzer starts from is read or refused", "[trace]") {
  int inputs = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator(TUNEPROOF_SOURCE_DIR "/tests/fuzz/corpus/read_trace")) {
    std::ifstream file(entry.path(), std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(file), {}};
    INFO(entry.path().string());
    CHECK(LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()) == 0);
    ++inputs;
  }
  CHECK(inputs > 0);
}
