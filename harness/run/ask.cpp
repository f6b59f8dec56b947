#include "harness/run/ask.hpp"

#include "harness/support/child.hpp"
#include "harness/support/lines.hpp"

#include <chrono>
#include <poll.h>

namespace harness::run {
namespace {

constexpr std::chrono::seconds patience{60};  // CUDA's first start can take several seconds
constexpr int loader_failed = 127;            // the dynamic loader's exit code

struct Said {
  std::string all;
  std::string answer;  // the last line that is an object
  std::string last;    // the last line
};

/// Collects lines until the stream ends or time is up.
Said listen(Child& child) {
  Said said;
  LineReader lines;
  const auto end = std::chrono::steady_clock::now() + patience;
  for (bool open = true; open && std::chrono::steady_clock::now() < end;) {
    pollfd ready{child.said(), POLLIN, 0};
    poll(&ready, 1, 200);
    open = lines.read(child.said()) && !child.poll();
    if (!open) lines.read(child.said());
    while (const auto line = lines.next()) {
      said.all += *line + '\n';
      if (line->starts_with('{')) said.answer = *line;
      if (!line->empty()) said.last = *line;
    }
  }
  return said;
}

/// "libtorch.so: cannot open shared object file" out of the dynamic loader's line.
std::string missing_library(const std::string& line) {
  const std::string lead = "error while loading shared libraries: ";
  const auto at = line.find(lead);
  return at == std::string::npos ? line : line.substr(at + lead.size());
}

/// What it says before it ends as it should; `wanted` completes the sentence where it does not.
Said ask(const std::filesystem::path& worker, std::vector<std::string> arguments, const char* wanted) {
  if (!std::filesystem::exists(worker))
    throw BadInput(worker.string() + ": is missing beside tuneproof; run scripts/run.sh to build both");
  Child child({worker, std::move(arguments), worker_environment(1)});
  child.send({});
  auto said = listen(child);
  const auto exit = child.wait(std::chrono::seconds(2));
  const auto name = worker.filename().string();
  if (!exit) throw BadInput(name + " did not answer within " + std::to_string(patience.count()) + " s");
  if (exit->code == loader_failed)
    throw BadInput(name + " cannot start: LibTorch or CUDA's runtime has moved since the build (" +
                   missing_library(said.last) + "); run scripts/run.sh to build it again");
  if (*exit != Exit{} || said.answer.empty())
    throw BadInput(name + " " + to_string(*exit) + " when asked for " + wanted +
                   (said.last.empty() ? "" : "; it said: " + said.last));
  return said;
}

}  // namespace

std::string ask_probe(const std::filesystem::path& worker, const Device& device) {
  return ask(worker, {"--probe", to_string(device)}, "the device").answer;
}

std::string ask_catalogue(const std::filesystem::path& worker) {
  const auto text = ask(worker, {"--catalogue"}, "its steps").all;
  const auto begin = text.find('{');  // behind what a library may have said
  return text.substr(begin);
}

std::string ask_selftest_pairs(const std::filesystem::path& worker) {
  return ask(worker, {"--selftest-catalogue"}, "the pairs of the self-test").answer;
}

std::vector<std::string> worker_environment(int threads) {
  return {"KINETO_LOG_LEVEL=99", "OMP_NUM_THREADS=" + std::to_string(threads)};
}

}  // namespace harness::run
