// Replays committed inputs without libFuzzer: replay_corpora NAME=FOLDER ... A crash, a sanitizer's complaint or an unexpected exception
// fails the test; the input that was being read is printed before.

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <vector>

extern "C" {
int fuzz_load_model(const std::uint8_t* data, std::size_t size);
int fuzz_study_file(const std::uint8_t* data, std::size_t size);
int fuzz_identification(const std::uint8_t* data, std::size_t size);
int fuzz_urdf(const std::uint8_t* data, std::size_t size);
int fuzz_urdf_side(const std::uint8_t* data, std::size_t size);
int fuzz_mesh_file(const std::uint8_t* data, std::size_t size);
int fuzz_control_file(const std::uint8_t* data, std::size_t size);
int fuzz_live_request(const std::uint8_t* data, std::size_t size);
int fuzz_table(const std::uint8_t* data, std::size_t size);
int fuzz_link_file(const std::uint8_t* data, std::size_t size);
int fuzz_part_matrices(const std::uint8_t* data, std::size_t size);
int fuzz_result_file(const std::uint8_t* data, std::size_t size);
int fuzz_stored_model(const std::uint8_t* data, std::size_t size);
}

namespace {

const std::map<std::string, int (*)(const std::uint8_t*, std::size_t)> readers{{"load_model", fuzz_load_model},
                                                                               {"study_file", fuzz_study_file},
                                                                               {"identification", fuzz_identification},
                                                                               {"urdf", fuzz_urdf},
                                                                               {"urdf_side", fuzz_urdf_side},
                                                                               {"mesh_file", fuzz_mesh_file},
                                                                               {"control_file", fuzz_control_file},
                                                                               {"live_request", fuzz_live_request},
                                                                               {"mjcf", fuzz_urdf},
                                                                               {"table", fuzz_table},
                                                                               {"link_file", fuzz_link_file},
                                                                               {"part_matrices", fuzz_part_matrices},
                                                                               {"result_file", fuzz_result_file},
                                                                               {"stored_model", fuzz_stored_model}};

int replay(const std::string& name, const std::string& folder) {
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    std::ifstream file(entry.path(), std::ios::binary);
    const std::vector<char> bytes{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    std::printf("%s: %s\n", name.c_str(), entry.path().filename().c_str());
    std::fflush(stdout);
    readers.at(name)(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
    ++count;
  }
  return count;
}

}  // namespace

int main(int count, char** arguments) {
  try {
    for (int i = 1; i < count; ++i) {
      const std::string argument = arguments[i];
      const std::size_t equals = argument.find('=');
      if (replay(argument.substr(0, equals), argument.substr(equals + 1)) == 0) {
        std::printf("%s has no inputs\n", argument.c_str());
        return 1;
      }
    }
  } catch (const std::exception& error) {
    std::printf("an exception that no reader may throw: %s\n", error.what());
    return 1;
  }
  return 0;
}
