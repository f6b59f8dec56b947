// No output takes the place of an input: it would be lost.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
}  // namespace CLI

namespace harness::inline support {

/// Throws BadInput where an output is one of the inputs. `option` is as it was given,
/// "report: -o page.html"; names that are empty, or of nothing that is there, are passed over.
void refuse_overwriting(std::string_view option, const std::filesystem::path& output,
                        const std::vector<std::string>& inputs);

/// The same for the files of a command line that has been parsed; nor may two outputs be one. What lies in
/// folders that it names is left to the command.
void refuse_overwriting(const CLI::App& app);

}  // namespace harness::inline support
