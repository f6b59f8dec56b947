// Results files as event files that TensorBoard opens.
#pragma once

#include "harness/results/results.hpp"
#include "harness/results/stand_in.hpp"

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace harness::compare {

/// Content by place: a run's folder in the exported folder, and the file in it.
using EventFiles = std::map<std::filesystem::path, std::string>;

/// A run of TensorBoard for each class of machine. Its steps are the machine's sessions by their start, from
/// 0; a session that is given twice counts once. Each row has its times, change, interval and verdict.
EventFiles event_files_of(std::vector<results::Results> runs);

/// The verdict on an axis: helps 1, no effect 0, hurts -1; NaN where the row cannot tell, which TensorBoard
/// draws as a triangle.
float verdict_number(Verdict verdict);

/// Reads all files, then writes all into `folder`, where a file that an earlier export made is replaced.
/// Throws BadInput if a file is not a results file, or if it cannot write to a place.
void export_tensorboard(const std::vector<std::string>& files, const std::filesystem::path& folder,
                        results::StandIn stand_in);

}  // namespace harness::compare
