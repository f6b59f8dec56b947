// Small traces made up for the tests, and where the real ones lie.
#pragma once

#include "harness/trace/trace.hpp"

#include <cstdlib>
#include <filesystem>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

namespace tests {

/// Times in microseconds, as a trace has them.
struct Made {
  std::string category;
  std::string name;
  double ts = 0;
  double dur = 0;
  std::string args = {};  // `"correlation": 1, "stream": 7`
  int tid = 1;
};

inline std::string json(const Made& made) {
  return R"({"ph": "X", "cat": ")" + made.category + R"(", "name": ")" + made.name +
         R"(", "pid": 1, "tid": )" + std::to_string(made.tid) + R"(, "ts": )" + std::to_string(made.ts) +
         R"(, "dur": )" + std::to_string(made.dur) + R"(, "args": {)" + made.args + "}}";
}

inline harness::trace::Trace trace_of(std::initializer_list<Made> events) {
  std::string text;
  for (const Made& made : events) text += (text.empty() ? "[" : ",\n") + json(made);
  return harness::trace::parse_trace(text + "]", "made_up.json");
}

inline Made op(std::string name, double ts, double dur, int tid = 1) {
  return {"cpu_op", std::move(name), ts, dur, {}, tid};
}
inline Made range(std::string name, double ts, double dur) {
  return {"user_annotation", std::move(name), ts, dur};
}
inline std::string linked(int correlation) { return R"("correlation": )" + std::to_string(correlation); }
inline Made call(std::string name, double ts, double dur, int correlation, int tid = 1) {
  return {"cuda_runtime", std::move(name), ts, dur, linked(correlation), tid};
}
inline Made on_stream(std::string category, std::string name, double ts, double dur, int correlation,
                      int stream = 7) {
  return {std::move(category),
          std::move(name),
          ts,
          dur,
          linked(correlation) + R"(, "device": 0, "stream": )" + std::to_string(stream),
          7};
}
inline Made kernel(double ts, double dur, int correlation, int stream = 7) {
  return on_stream("kernel", "relu", ts, dur, correlation, stream);
}

inline harness::trace::EventId find(const harness::trace::Trace& trace, std::string_view name,
                                    int which = 0) {
  for (harness::trace::EventId id = 0; id < trace.events.size(); ++id)
    if (trace.name(trace.events[id]) == name && which-- == 0) return id;
  return harness::trace::no_event;
}

inline std::filesystem::path directory(const char* variable, const char* otherwise) {
  const char* chosen = std::getenv(variable);  // NOLINT(concurrency-mt-unsafe): nobody sets it
  return chosen != nullptr ? chosen : otherwise;
}
inline std::filesystem::path golden_directory() {
  return directory("TUNEPROOF_GOLDEN_DIR", TUNEPROOF_SOURCE_DIR "/tests/golden");
}
inline std::filesystem::path traces_directory() {
  return directory("TUNEPROOF_TRACES_DIR", TUNEPROOF_SOURCE_DIR "/../shared/traces");
}

}  // namespace tests
