#include "harness/pages/assembly.hpp"

#include "harness/core/setup.hpp"
#include "harness/support/expression.hpp"
#include "harness/support/field.hpp"
#include "harness/support/read_text.hpp"
#include "harness/support/replace_file.hpp"
#include "harness/support/run_program.hpp"
#include "harness/support/text.hpp"

#include <fmt/format.h>

#include <cctype>
#include <sstream>
#include <system_error>

namespace harness::pages {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t most_written_bytes = 64 << 20;
constexpr auto architecture = "sm_80";  // every build has it

std::string listing(const catalogue::Program& program, const std::string& kind) {
  std::vector<std::string> arguments{"-" + kind};
  if (kind == "sass") arguments.insert(arguments.end(), {"-arch", architecture});
  arguments.push_back(program.worker.string());
  try {
    return run_program({"cuobjdump", arguments, {}}, {}).output;
  } catch (const BadInput&) {
    throw BadInput(
        "the kernels' code is read by cuobjdump, a program of the CUDA toolkit, and there is none on PATH; "
        "install it and add the toolkit's bin folder to PATH");
  }
}

void print_code(const std::string& title, std::vector<std::string> lines) {
  fmt::print("{}\n\n", printable(title));
  for (auto& line : lines) {
    std::ranges::replace(line, '\t', ' ');
    fmt::print("{}\n", printable(marked(line)));
  }
  fmt::print("\n");
}

bool print_kernels(const catalogue::Program& program, const std::string& source) {
  if (source.find("queue_") == std::string::npos && source.find("launch_") == std::string::npos) return false;
  bool any = false;
  const auto print = [&](const std::vector<KernelCode>& kernels, const std::string& language) {
    for (const auto& kernel : kernels)
      if (asks_for(source, kernel)) {
        print_code(fmt::format("{} of the kernel {} in {}.cu", language, kernel.name, kernel.file),
                   kernel.lines);
        any = true;
      }
  };
  print(kernels_in_ptx(listing(program, "ptx")), "PTX");
  print(kernels_in_sass(listing(program, "sass")), std::string("SASS for ") + architecture);
  return any;
}

/// A package that was made for the step: what is known of it, and what the compiler wrote.
struct Written {
  std::string title;
  fs::path source;
};

/// "128 x 2000", the input with the most values.
std::string largest_of(const Field& inputs) {
  std::string text;
  double most = -1;
  for (const auto& input : inputs.entries()) {
    double values = 1;
    std::string sizes;
    for (const auto size : input["shape"].integers()) {
      values *= static_cast<double>(size);
      sizes += (sizes.empty() ? "" : " x ") + std::to_string(size);
    }
    if (values > most) text = sizes;
    most = std::max(most, values);
  }
  return text;
}

/// Steps of a workload that share packages name them after the workload: "gpt".
bool is_of(const std::string& made_for, const catalogue::Step& step) {
  const bool compiles =
      std::ranges::any_of(step.rows, [](const catalogue::Row& row) { return row.package_seconds > 0; });
  return made_for == step.id || (compiles && made_for == step.id.substr(0, step.id.find('/')));
}

/// The package of a note, where it was made for the step and the note is whole.
std::optional<Written> package_of(const fs::path& file, const catalogue::Step& step) {
  try {
    const auto json = read_json(file, most_written_bytes);
    const Field note(json, file.string());
    if (!is_of(note["step"].text(), step)) return std::nullopt;
    auto source = file;
    source.replace_extension(".pt2.txt");
    return Written{
        fmt::format("What torch's compiler wrote for inputs up to {} on {}, threads: {}, in {:.0f} s",
                    largest_of(note["job"]["inputs"]), note["job"]["device"].text(),
                    note["job"]["threads"].integer(), note["seconds"].number()),
        source};
  } catch (const BadInput&) {
    return std::nullopt;  // `run` makes it again
  }
}

std::vector<Written> packages_of(const catalogue::Step& step) {
  std::vector<Written> all;
  const auto place = cache_file("compiled", "x");
  std::error_code ignored;
  if (!place || !fs::is_directory(place->parent_path(), ignored)) return all;
  for (const auto& note : files_in(place->parent_path(), is_json_name))
    if (auto package = package_of(note, step)) all.push_back(std::move(*package));
  std::ranges::sort(all, {}, &Written::title);
  return all;
}

/// What the compiler wrote. Throws BadInput where it is missing.
std::string written_in(const fs::path& source, const catalogue::Step& step) {
  std::error_code ignored;
  if (!fs::is_regular_file(source, ignored))
    throw BadInput(fmt::format("{}: is missing; delete {} and make both again with tuneproof run {}",
                               source.string(), fs::path(source).replace_extension().string(), step.id));
  return read_text(source, most_written_bytes);
}

bool print_packages(const catalogue::Step& step) {
  const auto packages = packages_of(step);
  for (const auto& package : packages) {
    const auto written = written_in(package.source, step);
    const bool half = written.find("bfloat16") != std::string::npos;
    print_code(package.title + (half ? "; it computes in BF16" : ""), loops_in(written));
    fmt::print("The whole of it: {}\n\n", printable(package.source.string()));
  }
  return !packages.empty();
}

/// "_ZN10microbench49_GLOBAL__N__494a_16_fused_kernels_cu_172f61907cos_cosEPfPKfm" -> "cos_cos": the last
/// name that a count of its letters stands before.
std::string short_name(const std::string& mangled) {
  std::string found = mangled;
  for (std::size_t i = 0; i + 1 < mangled.size(); ++i) {
    if (std::isdigit(static_cast<unsigned char>(mangled[i])) == 0) continue;
    std::size_t digits = 0;
    const auto count = std::stoul(mangled.substr(i, 2), &digits);
    const auto name = mangled.substr(std::min(i + digits, mangled.size()), count);
    const auto next = i + digits + count;
    const bool whole = name.size() == count && count > 1 && next < mangled.size() &&
                       (mangled[next] == 'E' || mangled[next] == 'I') &&
                       std::isalpha(static_cast<unsigned char>(name[0])) != 0;
    if (whole) found = name;
  }
  return found;
}

/// The file in the name of an anonymous namespace: "_16_fused_kernels_cu_" -> "fused_kernels".
std::string file_in(const std::string& mangled) {
  static const std::regex pattern(R"(_\d+_(\w+)_cu_)");
  std::smatch found;
  return std::regex_search(mangled, found, pattern) ? found[1].str() : "";
}

KernelCode begun(const std::string& mangled) { return {short_name(mangled), file_in(mangled), {}}; }

/// The text without its line ends.
std::vector<std::string> lines_of_listing(std::string_view text) {
  std::vector<std::string> lines;
  std::istringstream in{std::string(text)};
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

}  // namespace

std::span<const catalogue::StepSource> sources_of(const catalogue::Program& program,
                                                  const catalogue::Step& step) {
  const auto of = std::ranges::equal_range(program.sources, step.id, {}, &catalogue::StepSource::step);
  return {of.begin(), of.end()};
}

std::vector<std::string> loops_in(std::string_view written) {
  std::vector<std::string> lines;
  for (auto& line : lines_of_listing(written)) {
    if (line.starts_with("// Compile cmd")) break;
    if (!line.starts_with("// ") && !line.starts_with("#include")) lines.push_back(std::move(line));
  }
  return lines;
}

int print_assembly(const catalogue::Program& program, const catalogue::Step& step) {
  const bool packages = print_packages(step);
  std::string source;
  for (const auto& file : sources_of(program, step)) source += file.text;
  const bool kernels = print_kernels(program, source);
  if (packages || kernels) {
    fmt::print("Lines marked > read or write memory; what lies between them does not.\n");
    return 0;
  }
  if (source.find("compiled") != std::string::npos)
    throw BadInput(
        fmt::format("{0} has no package on this machine yet; make it with tuneproof run {0}", step.id));
  throw BadInput(
      fmt::format("the code of {0} queues no kernel of ours and has no compiled form; read it with tuneproof "
                  "explain {0}",
                  step.id));
}

std::vector<KernelCode> kernels_in_sass(std::string_view text) {
  std::vector<KernelCode> kernels;
  constexpr std::string_view head = "Function : ";
  bool inside = false;
  for (const auto& line : lines_of_listing(text)) {
    if (const auto at = line.find(head); at != std::string::npos) {
      kernels.push_back(begun(line.substr(at + head.size())));
      inside = true;
    } else if (line.find("........") != std::string::npos) {
      inside = false;
    } else if (inside &&
               line.find(';') != std::string::npos) {  // the others hold the second half of the bits
      static const std::regex bits(R"(\s*/\* 0x[0-9a-f]+ \*/\s*$)");
      kernels.back().lines.push_back(std::regex_replace(line, bits, ""));
    }
  }
  return kernels;
}

std::vector<KernelCode> kernels_in_ptx(std::string_view text) {
  std::vector<KernelCode> kernels;
  constexpr std::string_view head = ".entry ";
  bool inside = false;
  for (const auto& line : lines_of_listing(text)) {
    if (const auto at = line.find(head); at != std::string::npos) {
      const auto name = line.substr(at + head.size());
      kernels.push_back(begun(name.substr(0, name.find('('))));
      inside = true;
    }
    if (inside) kernels.back().lines.push_back(line);
    if (line == "}") inside = false;
  }
  return kernels;
}

bool asks_for(const std::string& source, const KernelCode& kernel) {
  static const std::regex call(R"(\b(?:queue|launch)_(\w+))");
  for (auto at = std::sregex_iterator(source.begin(), source.end(), call); at != std::sregex_iterator();
       ++at) {
    const auto asked = (*at)[1].str();
    if (asked == kernel.file || asked == kernel.name || kernel.name.starts_with(asked + '_')) return true;
  }
  return false;
}

std::string marked(const std::string& line) {
  static const auto memory = expression_of(
      R"(\bloadu?\(|\bstore\(|_ptr\d+\[|atomic_add|tl\.(load|store)|\b(LD|ST|RED|ATOM)[GSLC]?\w*[. ]|\b(ld|st|red|atom)\.(?!param))");
  return (std::regex_search(line, memory) ? "> " : "  ") + line;
}

}  // namespace harness::pages
