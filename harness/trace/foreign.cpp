#include "harness/trace/foreign.hpp"

#include "harness/core/setup.hpp"
#include "harness/support/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace harness::trace {
namespace {

using std::string_view_literals::operator""sv;

struct Signature {
  std::size_t place;
  std::string_view bytes;
  std::string_view is;
};

constexpr std::string_view utf16 = "UTF-16 text: convert it to UTF-8 first (iconv -f UTF-16 -t UTF-8)";
constexpr std::string_view web_page = "a web page: download the file itself (on GitHub, the raw one)";
constexpr std::string_view pickle =
    "a Python pickle, such as a snapshot of CUDA memory: diagnose reads what export_chrome_trace() writes";

constexpr std::array signatures{
    Signature{0, "version https://git-lfs.github.com/spec/"sv,
              "a Git LFS pointer: `git lfs pull` fetches the file itself"},
    Signature{0, "PK\x03\x04"sv, "a zip archive: unpack it first"},
    Signature{0, "PK\x05\x06"sv, "a zip archive without files"},
    Signature{0, "\x28\xb5\x2f\xfd"sv, "packed by zstd: unpack it first (unzstd)"},
    Signature{0,
              "\xfd"
              "7zXZ"sv,
              "packed by xz: unpack it first (unxz)"},
    Signature{0, "\x1f\x8b"sv, "packed by gzip twice: unpack it once (gunzip)"},
    Signature{0, "BZh"sv, "packed by bzip2: unpack it first (bunzip2)"},
    Signature{0, "7z\xbc\xaf\x27\x1c"sv, "a 7z archive: unpack it first"},
    Signature{0, "\x04\x22\x4d\x18"sv, "packed by lz4: unpack it first (unlz4)"},
    Signature{257, "ustar"sv, "a tar archive: unpack it first"},
    Signature{0, "\xff\xfe\0\0"sv, "UTF-32 text: convert it to UTF-8 first (iconv -f UTF-32 -t UTF-8)"},
    Signature{0, "\xff\xfe"sv, utf16},
    Signature{0, "\xfe\xff"sv, utf16},
    Signature{0, "[\0"sv, utf16},
    Signature{0, "{\0"sv, utf16},
    Signature{0, "\0["sv, utf16},
    Signature{0, "\0{"sv, utf16},
    Signature{0, "\0\r"sv, utf16},
    Signature{0, "\0\n"sv, utf16},
    Signature{0, "\0 "sv, utf16},
    Signature{0, "SQLite format 3\0"sv,
              "an SQLite database, as Nsight Systems and rocprof write them: diagnose reads the JSON of "
              "PyTorch's profiler"},
    Signature{0, "\x80\x02"sv, pickle},
    Signature{0, "\x80\x03"sv, pickle},
    Signature{0, "\x80\x04"sv, pickle},
    Signature{0, "\x80\x05"sv, pickle},
    Signature{0,
              "\x7f"
              "ELF"sv,
              "a program"},
    Signature{0, "\x89PNG"sv, "an image"},
    Signature{0, "%PDF"sv, "a PDF document"},
    Signature{0, "\x89HDF"sv, "an HDF5 file"},
    Signature{0, "PAR1"sv, "a Parquet file"},
    Signature{0, "<!DOCTYPE"sv, web_page},
    Signature{0, "<!doctype"sv, web_page},
    Signature{0, "<html"sv, web_page},
    Signature{0, "<?xml"sv, "an XML document"},
};

struct Ending {
  std::string_view ends;
  std::string_view is;
};

constexpr std::array endings{
    Ending{".nsys-rep", "a report of Nsight Systems: diagnose reads the JSON of PyTorch's profiler"},
    Ending{".qdrep", "a report of Nsight Systems: diagnose reads the JSON of PyTorch's profiler"},
    Ending{".ncu-rep", "a report of Nsight Compute: diagnose reads the JSON of PyTorch's profiler"},
    Ending{".pftrace", "a binary trace of Perfetto: diagnose reads the JSON of PyTorch's profiler"},
    Ending{".perfetto-trace", "a binary trace of Perfetto: diagnose reads the JSON of PyTorch's profiler"},
    Ending{".xplane.pb",
           "a profile of TensorFlow or JAX (XPlane): diagnose reads the JSON of PyTorch's profiler"},
};

struct Member {
  std::string_view name;
  std::string_view holds;  // somewhere in its value
  std::string_view is;
};

constexpr std::array members{
    Member{"$schema", "speedscope", "a profile of speedscope"},
    Member{"schema", "chakra",
           "an execution trace of PyTorch (ExecutionTraceObserver) without times of kernels"},
    Member{"schema", "tuneproof", "a file that tuneproof wrote"},
    Member{"context", "\"tuneproof",
           "a file that tuneproof wrote: `tuneproof report FILE -o r.html` shows it"},
    Member{"device_traces", "", "a snapshot of CUDA memory"},
    Member{"nbformat", "", "a Jupyter notebook"},
    Member{"resourceSpans", "", "a trace of OpenTelemetry"},
    Member{"timeDeltas", "", "a CPU profile of V8"},
    Member{"benchmarks", "", "a result of Google Benchmark"},
};

/// Who writes such a category or names processes like that; empty: unknown.
std::string_view tool_of(std::string_view category, std::span<const std::string> processes) {
  const auto any_process = [&](std::string_view word) {
    return std::ranges::any_of(
        processes, [&](const std::string& process) { return process.find(word) != std::string::npos; });
  };
  for (const auto word : {"devtools", "blink", "v8", "toplevel", "cc,"})
    if (category.find(word) != std::string_view::npos) return " but one of Chrome's";
  if (any_process("/host:CPU") || any_process("/device:")) return " but one of TensorFlow or JAX";
  if (category == "FEE") return " but one of VizTracer";
  return {};
}

}  // namespace

std::string_view foreign_file(std::string_view bytes, std::string_view name) {
  for (const auto& [place, signature, is] : signatures)
    if (bytes.size() >= place && bytes.substr(place).starts_with(signature)) return is;
  for (const auto& [end, is] : endings)
    if (name.ends_with(end)) return is;
  return {};
}

std::string_view foreign_document(std::string_view member, std::string_view value) {
  for (const auto& [name, holds, is] : members)
    if (name == member && value.find(holds) != std::string_view::npos) return is;
  return {};
}

void require_own(const Trace& trace, std::string_view category, std::span<const std::string> processes) {
  if (trace.events.empty()) throw BadInput(fmt::format("{}: this trace has no events", trace.file));
  if (std::ranges::any_of(trace.events, [](const Event& event) { return event.kind != Kind::other; })) return;
  throw BadInput(
      fmt::format("{}: this is not a trace of PyTorch's profiler{}: none of its {} events has a category "
                  "that PyTorch writes{}",
                  trace.file, tool_of(category, processes), trace.events.size(),
                  category.empty() ? "" : fmt::format(" (the first has {})", shown(category))));
}

void refuse_simulated(const Trace& trace, std::string_view command) {
  if (trace.simulated)
    throw BadInput(
        fmt::format("{}: a simulated trace, a prediction and not a recording; {} takes recorded ones",
                    trace.file, command));
}

}  // namespace harness::trace
