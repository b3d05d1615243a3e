#pragma once
// lithe optimize and lithe check of a study with a `move`.

#include "lithe/io/load_study.hpp"
#include "verbs.hpp"

namespace lithe::cli {

int optimize_move(const OptimizeVerbOptions& options, const StudyFile& file);
int check_move(const CheckOptions& options, const StudyFile& file);

}  // namespace lithe::cli
