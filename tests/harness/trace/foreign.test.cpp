// Files that are no trace of PyTorch's profiler are refused by what they are.
#include "harness/core/setup.hpp"
#include "harness/trace/trace.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_exception.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <string>
#include <utility>
#include <vector>

namespace {

using namespace harness;
using namespace std::string_literals;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::MessageMatches;

void check_refusal(const std::string& bytes, const std::string& part, const std::string& name = "t.json") {
  INFO(part);
  CHECK_THROWS_MATCHES(trace::parse_trace(bytes, name), BadInput,
                       MessageMatches(ContainsSubstring(name + ": ") && ContainsSubstring(part)));
}

TEST_CASE("a file is named by its first bytes", "[trace][foreign]") {
  check_refusal("version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 870601265\n",
                "a Git LFS pointer");
  check_refusal("PK\x03\x04\x14\0\0\0"s, "a zip archive");
  check_refusal("\x28\xb5\x2f\xfd\x04"s, "packed by zstd");
  check_refusal(
      "\xfd"
      "7zXZ\0"s,
      "packed by xz");
  check_refusal("BZh91AY", "packed by bzip2");
  check_refusal("\x1f\x8b\x08"s, "packed by gzip twice", "t.json");
  check_refusal("SQLite format 3\0"s, "an SQLite database");
  check_refusal("\x80\x04\x95"s, "a Python pickle");
  check_refusal("<!DOCTYPE html><html>", "a web page");
  check_refusal("trace.json" + std::string(247, '\0') + "ustar", "a tar archive");
  check_refusal("", "this file is empty");
  check_refusal(
      "\x0a\x05"
      "abc",
      "a binary trace of Perfetto", "t.pftrace");
}

TEST_CASE("UTF-16 is named, with a byte order mark and without", "[trace][foreign]") {
  check_refusal("\xff\xfe[\0{\0"s, "UTF-16");
  check_refusal("\xfe\xff\0[\0{"s, "UTF-16");
  check_refusal("[\0{\0"s, "UTF-16");
  check_refusal("\0{\0\""s, "UTF-16");
  check_refusal("\r\0\n\0{\0"s, "UTF-16");
  check_refusal("\0\n\0{"s, "UTF-16");
  check_refusal("\xff\xfe\0\0[\0\0\0"s, "UTF-32");
}

TEST_CASE("text that is not JSON is quoted", "[trace][foreign]") {
  check_refusal("name,ts,dur\n", "begins with \"name,ts,dur\"");
  check_refusal("\"hello\"", "begins with \"hello\"");
}

TEST_CASE("a JSON document of another kind is named by its members", "[trace][foreign]") {
  check_refusal(R"({"$schema":"https://www.speedscope.app/file-format-schema.json","profiles":[]})",
                "speedscope");
  check_refusal(
      R"({"schema":"1.1.1-chakra.0.0.4","pid":1,"nodes":[]})",
      "this is not a trace but an execution trace of PyTorch (ExecutionTraceObserver) without times of "
      "kernels; it has no list");
  check_refusal(R"({"segments":[],"device_traces":[[]]})", "a snapshot of CUDA memory");
  check_refusal(R"({"cells":[],"nbformat":4})", "a Jupyter notebook");
  check_refusal(R"({"context":{"executable":"tuneproof"},"benchmarks":[]})",
                "a file that tuneproof wrote: `tuneproof report FILE -o r.html` shows it");
  check_refusal(R"({"context":{"executable":"./mine"},"benchmarks":[]})", "a result of Google Benchmark");
  check_refusal(R"({"a":1})", "this JSON is not a trace");
  check_refusal(R"([{"id":1,"timestamps":[{"name":"HTTP_RECV_START","ns":24}]},{"id":1}])",
                "this JSON is not a trace: none of its 2 objects is an event");
}

TEST_CASE("traces of other tools are not judged", "[trace][foreign]") {
  const auto event = R"({"ph":"X","name":"f","pid":1,"tid":1,"ts":1,"dur":2)";
  const auto refused = "is not a trace of PyTorch's profiler";
  check_refusal("["s + event + R"(,"cat":"devtools.timeline"}])", refused + " but one of Chrome's"s);
  check_refusal("["s + event + R"(,"cat":"FEE"}])", refused + " but one of VizTracer"s);
  check_refusal("["s + event + R"(},{"ph":"M","name":"process_name","pid":1,"args":{"name":"/host:CPU"}}])",
                refused + " but one of TensorFlow or JAX"s);
  check_refusal("["s + event + R"(,"cat":"mine"}])", "the first has \"mine\"");
  CHECK_NOTHROW(
      trace::parse_trace("["s + event + R"(,"cat":"mine"},)" + event + R"(,"cat":"cpu_op"}])", "t.json"));
}

}  // namespace
