#include "harness/teach/kernel_listing.hpp"

#include <algorithm>
#include <cctype>
#include <regex>
#include <sstream>

namespace harness::teach {
namespace {

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

}  // namespace

std::vector<std::string> lines_of_listing(std::string_view text) {
  std::vector<std::string> lines;
  std::istringstream in{std::string(text)};
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
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
  static const std::regex memory(
      R"(\bloadu?\(|\bstore\(|_ptr\d+\[|atomic_add|tl\.(load|store)|\b(LD|ST|RED|ATOM)[GSLC]?\w*[. ]|\b(ld|st|red|atom)\.(?!param))");
  return (std::regex_search(line, memory) ? "> " : "  ") + line;
}

}  // namespace harness::teach
