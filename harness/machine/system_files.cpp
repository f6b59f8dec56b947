#include "harness/machine/system_files.hpp"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <iterator>
#include <sstream>
#include <system_error>
#include <unistd.h>

namespace harness::inline machine {
namespace {

/// "/a/b"; "/" where /proc does not say. Its lines are "number:controllers:path", of version 2 without
/// controllers.
std::string own_group(const SystemFiles& files, const std::string& controller) {
  std::istringstream lines(files.text("proc/self/cgroup").value_or(""));
  std::string number;
  std::string controllers;
  std::string path;
  while (std::getline(lines, number, ':') && std::getline(lines, controllers, ':') &&
         std::getline(lines, path))
    if (("," + controllers + ",").find("," + controller + ",") != std::string::npos) return path;
  return "/";
}

}  // namespace

std::string trimmed(const std::string& text) {
  const auto first = text.find_first_not_of(" \t\n");
  if (first == text.npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\n") - first + 1);
}

std::optional<std::string> SystemFiles::text(const std::string& path) const {
  std::ifstream in(root_ / path);
  if (!in) return std::nullopt;
  auto text = trimmed({std::istreambuf_iterator<char>(in), {}});
  if (in.bad() || text.empty()) return std::nullopt;  // some files of /sys open and then fail to read
  return text;
}

std::optional<double> SystemFiles::number(const std::string& path) const {
  const auto read = text(path);
  double value = 0;
  if (!read || std::from_chars(read->data(), read->data() + read->size(), value).ec != std::errc{})
    return std::nullopt;
  return value;
}

std::vector<std::string> SystemFiles::names(const std::string& folder, const std::string& prefix) const {
  std::vector<std::string> found;
  std::error_code error;
  for (std::filesystem::directory_iterator entry(root_ / folder, error), end; !error && entry != end;
       entry.increment(error)) {
    auto name = entry->path().filename().string();
    if (name.starts_with(prefix)) found.push_back(std::move(name));
  }
  std::ranges::sort(found);
  return found;
}

std::optional<std::string> SystemFiles::field(const std::string& path, const std::string& key) const {
  std::istringstream lines(text(path).value_or(""));
  for (std::string line; std::getline(lines, line);) {
    const auto colon = line.find(':');
    if (colon != line.npos && trimmed(line.substr(0, colon)) == key) return trimmed(line.substr(colon + 1));
  }
  return std::nullopt;
}

bool SystemFiles::writable(const std::string& folder) const {
  std::error_code error;
  auto place = root_ / folder;
  while (!std::filesystem::exists(place, error) && !error && place != place.parent_path())
    place = place.parent_path();
  return std::filesystem::is_directory(place, error) && access(place.c_str(), W_OK | X_OK) == 0;
}

std::optional<double> SystemFiles::free_bytes(const std::string& path) const {
  std::error_code error;
  const auto space = std::filesystem::space(root_ / path, error);
  if (error) return std::nullopt;
  return static_cast<double>(space.available);
}

double steal_seconds(const SystemFiles& files) {
  constexpr int fields_before = 7;  // user nice system idle iowait irq softirq
  std::istringstream in(files.text("proc/stat").value_or(""));
  std::string cpu;
  in >> cpu;
  double ticks = 0;
  for (int i = 0; i <= fields_before; ++i)
    if (!(in >> ticks)) return 0;
  return ticks / static_cast<double>(sysconf(_SC_CLK_TCK));
}

std::vector<std::string> control_groups(const SystemFiles& files, const std::string& controller) {
  const auto top = "sys/fs/cgroup" + (controller.empty() ? "" : "/" + controller);
  std::vector<std::string> folders;
  auto path = own_group(files, controller);
  while (path.find_last_not_of('/') != std::string::npos) {
    path.resize(path.find_last_not_of('/') + 1);
    folders.push_back(top + path);
    path.resize(path.rfind('/') == std::string::npos ? 0 : path.rfind('/'));
  }
  folders.push_back(top);
  return folders;
}

}  // namespace harness::inline machine
