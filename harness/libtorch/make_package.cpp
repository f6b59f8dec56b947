#include "harness/libtorch/make_package.hpp"

#include "harness/machine/host.hpp"
#include "harness/support/field.hpp"
#include "harness/support/lock_file.hpp"
#include "harness/support/read_text.hpp"
#include "harness/support/replace_file.hpp"
#include "harness/support/run_program.hpp"
#include "harness/support/scratch_folder.hpp"
#include "harness/support/sha256.hpp"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <sstream>
#include <system_error>

namespace harness::inline libtorch {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t most_note_bytes = 1 << 20;
constexpr std::uint64_t most_package_bytes = std::uint64_t{4} << 30;

fs::path with_extension(fs::path note, std::string_view extension) {
  return note.replace_extension(extension);
}

/// Empty where the program has no SHA-256. Throws BadInput where the package cannot be read.
std::string hash_of(const fs::path& package) { return sha256(read_text(package, most_package_bytes)); }

/// Throws BadInput where the note or the package is not what was written.
Made checked(const fs::path& note, const fs::path& package) {
  const auto json = read_json(note, most_note_bytes);
  const Field made(json, note.string());
  const auto name = made.find("name");  // notes of older programs have none, and no hash
  if (name && name->text() != note.stem())
    throw BadInput(note.string() + ": is the note of " + name->text() + ", for another function or machine");
  const auto hash = made.find("sha256");
  if (hash && hash->text() != hash_of(package))
    throw BadInput(package.string() + ": is not the package that its note speaks of");
  return {package, made["seconds"].number()};
}

void move_package(const fs::path& place, const fs::path& made_in) {
  std::error_code failed;
  fs::rename(made_in / place.filename(), place, failed);
  if (failed) throw BadInput(place.string() + ": cannot be written: " + failed.message());
}

/// The package of the note, if both are there and are what was written; of one that is not, hears why.
std::optional<Made> kept_package(const fs::path& note, const std::function<void(const std::string&)>& hears) {
  const auto package = with_extension(note, ".pt2");
  std::error_code ignored;
  if (!fs::is_regular_file(note, ignored) || !fs::is_regular_file(package, ignored)) return std::nullopt;
  try {
    return checked(note, package);
  } catch (const BadInput& error) {
    hears(error.what());
    return std::nullopt;
  }
}

/// Moves the files out of the folder that they were made in to their place. The note comes last: with it the
/// package counts. Throws BadInput where that cannot be done.
void keep_package(const fs::path& made_in, const fs::path& note) {
  for (const auto* extension : {".pt2.txt", ".pt2", ".json"})
    move_package(with_extension(note, extension), made_in);
}

/// CXX's first word is the program, as build systems read it. Its options are left out: torch has its own.
std::string compiler_name() {
  const char* const chosen = std::getenv("CXX");  // NOLINT(concurrency-mt-unsafe): one thread
  std::istringstream words(chosen == nullptr ? "" : chosen);
  std::string name = "g++";
  words >> name;
  return name;
}

/// "g++ (Debian 12.2.0-14) 12.2.0". Throws Skip where there is none.
std::string compiler_version() {
  const auto name = compiler_name();
  try {
    const auto said = run_program({name, {"--version"}, {}}, {});
    if (said.exit == Exit{}) return said.output.substr(0, said.output.find('\n'));
  } catch (const BadInput&) {
  }
  throw Skip("torch.compile needs a C++ compiler, and " + name + " cannot be started");
}

/// PREFIX/lib/python3.11/site-packages/torch/lib/libtorch_cpu.so is of PREFIX/bin/python3.11.
fs::path python_of(const fs::path& library) {
  const auto python = library.parent_path().parent_path().parent_path().parent_path();
  const auto own = python.parent_path().parent_path() / "bin" / python.filename();
  std::error_code ignored;
  if (python.filename().string().starts_with("python") && fs::exists(own, ignored)) return own;
  return "python3";
}

Json job_of(const PackageOrder& order, const PythonTorch& torch) {
  auto inputs = Json::array();
  for (const auto& input : order.inputs)
    inputs.push_back({{"type", input.type},
                      {"shape", input.sizes},
                      {"varies", input.varies},
                      {"channels_last", input.channels_last}});
  return {{"source", order.source},
          {"inputs", std::move(inputs)},
          {"device", order.device.is_cuda() ? "cuda" : "cpu"},
          {"mode", order.mode == CompileMode::normal ? "default" : "max-autotune"},
          {"threads", order.threads},
          {"torch", torch.version}};
}

/// All that the code in a package depends on.
std::string fingerprint(const Json& job) {
  const auto all = job.dump() + '\n' + compiler_version() + '\n' + read_host().cpu_model + '\n' +
                   std::string(compile_script());
  const auto hash = sha256(all);
  return hash.empty() ? all : hash;
}

void tell_of(const PackageOrder& order, const std::string& what) {
  std::fputs((order.step + ": " + what + '\n').c_str(), stderr);
}

/// What the script prints last. Throws Skip with its reason.
double seconds_of(const Finished& said, const fs::path& python) {
  if (said.exit != Exit{})
    throw Skip("torch.compile needs Python, and " + python.string() + " " + to_string(said.exit));
  try {
    const auto json = parse_json(said.output, python.string());
    const Field answer(json, python.string());
    if (const auto reason = answer.find("reason")) throw Skip(reason->text());
    return answer["seconds"].number();
  } catch (const BadInput&) {
    throw Skip("torch.compile needs Python, and " + python.string() + " did not answer as Python does");
  }
}

double compile(const fs::path& package, const Json& job, const PythonTorch& torch) {
  const auto python = python_of(torch.library);
  auto command = python_script(python, compile_script(), {package.string()});
  // What the compiler keeps for itself lies beside the package.
  command.environment.push_back("TORCHINDUCTOR_CACHE_DIR=" + (package.parent_path() / "inductor").string());
  command.environment.push_back("CXX=" + compiler_name());
  try {
    return seconds_of(run_program(command, job.dump(), std::chrono::hours(24)),
                      python);  // a row's time ends it
  } catch (const BadInput& error) {
    throw Skip(std::string("torch.compile needs Python with torch: ") + error.what());
  }
}

/// While no other run makes one. Throws BadInput where it cannot be written.
Made make_new(const PackageOrder& order, const PythonTorch& torch, const Json& job, const fs::path& note) {
  const auto unfinished = note.parent_path() / "inductor";
  remove_folder(unfinished);  // what a run that was killed has left
  // A name of its own: the compiler of that run may live on, and writes where it began.
  const ScratchFolder scratch(unfinished);
  auto package = note;
  package.replace_extension(".pt2");
  const auto made_as = scratch.path() / package.filename();
  const ReplaceFile written(scratch.path() / note.filename());
  tell_of(order, "torch.compile works for this machine, once; half a minute or more");
  const auto seconds = compile(made_as, job, torch);
  const Json made{{"name", note.stem().string()},
                  {"step", order.step},
                  {"seconds", seconds},
                  {"sha256", hash_of(made_as)},
                  {"job", job}};
  written.write(made.dump(1));
  keep_package(scratch.path(), note);
  tell_of(order, "compiled in " + std::to_string(std::lround(seconds)) + " s, kept as " + package.string());
  return {package, seconds};
}

/// One run at a time makes packages in the folder; another one may have made this one meanwhile.
Made make_in_turn(const PackageOrder& order, const PythonTorch& torch, const Json& job,
                  const fs::path& note) {
  make_folders_of(note);
  const auto turn = lock_file(note.parent_path() / "lock", [&] {
    tell_of(order, "waits until another run has finished its torch.compile");
  });
  const auto made =
      kept_package(note, [&](const std::string& why) { tell_of(order, why + "; it is made again"); });
  return made ? *made : make_new(order, torch, job, note);
}

}  // namespace

Made make_package(const PackageOrder& order, const PythonTorch& torch) {
  const auto job = job_of(order, torch);
  const auto note = cache_file("compiled", fingerprint(job));
  if (!note) throw Skip("compiled packages need a folder: neither XDG_CACHE_HOME nor HOME names one");
  if (const auto made = kept_package(*note, [](const std::string&) {})) return *made;
  try {
    return make_in_turn(order, torch, job, *note);
  } catch (const BadInput& error) {
    throw Skip(std::string("compiled packages need a folder that can be written: ") + error.what());
  }
}

}  // namespace harness::inline libtorch
