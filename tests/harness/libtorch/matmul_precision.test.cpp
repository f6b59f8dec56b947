#include "harness/libtorch/precision.hpp"

#include <catch2/catch_test_macros.hpp>

#include <stdexcept>
#include <string>

namespace {

using at::Float32MatmulPrecision;
using harness::MatmulPrecision;

Float32MatmulPrecision now() { return at::globalContext().float32MatmulPrecision(); }

TEST_CASE("the precision of matrix products is put back, also when something throws", "[precision]") {
  for (const std::string before : {"highest", "high", "medium"}) {
    const MatmulPrecision outer(before);
    const auto expected = now();
    try {
      const MatmulPrecision inner(before == "high" ? "highest" : "high");
      CHECK(now() != expected);
      throw std::runtime_error("midway");
    } catch (const std::runtime_error&) {
    }
    CHECK(now() == expected);
  }
}

TEST_CASE("only highest keeps cuBLAS from using TF32", "[precision]") {
  for (const std::string name : {"highest", "high", "highest", "medium"}) {
    const MatmulPrecision set(name);
    CHECK(at::globalContext().allowTF32CuBLAS() == (name != "highest"));
  }
}

}  // namespace
