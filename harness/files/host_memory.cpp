#include "harness/files/host_memory.hpp"

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace harness {
namespace {

namespace fs = std::filesystem;

// Where one kind of control group keeps its numbers.
struct GroupFiles {
  std::vector<const char*> limits;
  const char* usage;
  const char* cache;     // word of memory.stat: what is given back when it is asked for
  const char* oom_file;  // and in it
  const char* oom_word;
};
const GroupFiles v2{
    {"memory.max", "memory.high"}, "memory.current", "inactive_file", "memory.events", "oom_kill"};
const GroupFiles v1{{"memory.limit_in_bytes"},
                    "memory.usage_in_bytes",
                    "total_inactive_file",
                    "memory.oom_control",
                    "oom_kill"};

// A group on the path of this process, from its own up to the uppermost that is mounted.
struct Group {
  fs::path folder;
  std::string name;
  const GroupFiles* files;
};

std::optional<std::uint64_t> number_in(const fs::path& file) {
  std::ifstream stream(file);
  std::uint64_t number = 0;
  if (!(stream >> number)) return std::nullopt;  // "max" is none
  return number;
}

// The number behind a word at the beginning of a line: "inactive_file 4096".
std::optional<std::uint64_t> number_of(const fs::path& file, std::string_view word) {
  std::ifstream stream(file);
  for (std::string line; std::getline(stream, line);) {
    std::istringstream words(line);
    std::string first;
    std::uint64_t number = 0;
    if (words >> first >> number && first == word) return number;
  }
  return std::nullopt;
}

std::vector<std::string> split(const std::string& text, char at) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, at);) parts.push_back(part);
  return parts;
}

bool has_word(const std::string& list, std::string_view word) {
  const std::vector<std::string> words = split(list, ',');
  return std::find(words.begin(), words.end(), word) != words.end();
}

// Adds the groups of `path` in the hierarchy of which `root_in_hierarchy` is mounted at `mount`.
void add_groups(std::vector<Group>& groups, const fs::path& root, const std::string& mount,
                const std::string& root_in_hierarchy, std::string path, const GroupFiles& files) {
  if (root_in_hierarchy != "/") {
    const bool inside = path == root_in_hierarchy || path.starts_with(root_in_hierarchy + "/");
    path = inside ? path.substr(root_in_hierarchy.size()) : "";
  }
  const fs::path top = root / fs::path(mount).relative_path();
  for (fs::path group = fs::path(path).relative_path();; group = group.parent_path()) {
    groups.push_back({group.empty() ? top : top / group, "/" + group.string(), &files});
    if (group.empty()) return;
  }
}

// mountinfo: "36 25 0:31 /root /mount options - cgroup2 source super-options".
std::vector<Group> groups_of_this_process(const fs::path& root) {
  std::string path_v1;
  std::string path_v2;
  std::ifstream memberships(root / "proc/self/cgroup");
  for (std::string line; std::getline(memberships, line);) {
    const std::size_t first = line.find(':');
    const std::size_t second = line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    if (controllers.empty()) path_v2 = line.substr(second + 1);
    if (has_word(controllers, "memory")) path_v1 = line.substr(second + 1);
  }
  std::vector<Group> groups;
  std::ifstream mounts(root / "proc/self/mountinfo");
  for (std::string line; std::getline(mounts, line);) {
    const std::vector<std::string> words = split(line, ' ');
    const auto dash = std::find(words.begin(), words.end(), "-");
    if (dash - words.begin() < 5 || words.end() - dash < 4) continue;
    const std::string& kind = dash[1];
    const std::string& options = dash[3];
    if (kind == "cgroup2" && !path_v2.empty()) {
      add_groups(groups, root, words[4], words[3], path_v2, v2);
    } else if (kind == "cgroup" && !path_v1.empty() && has_word(options, "memory")) {
      add_groups(groups, root, words[4], words[3], path_v1, v1);
    }
  }
  return groups;
}

void take_least(MemoryRoom& room, std::uint64_t bytes, const std::string& of) {
  if (bytes < room.bytes) room = {bytes, of};
}

constexpr std::uint64_t minus(std::uint64_t a, std::uint64_t b) { return a > b ? a - b : 0; }

// What a group may still take: its limit without what it holds and would not give back.
void take_group(MemoryRoom& room, const Group& group) {
  for (const char* limit_file : group.files->limits) {
    const auto limit = number_in(group.folder / limit_file);
    if (!limit) continue;
    const std::uint64_t usage = number_in(group.folder / group.files->usage).value_or(0);
    const std::uint64_t cache =
        number_of(group.folder / "memory.stat", group.files->cache).value_or(0);
    take_least(room, minus(*limit, minus(usage, cache)),
               fmt::format("control group {}", group.name));
  }
}

}  // namespace

MemoryRoom memory_room(const fs::path& root) {
  constexpr std::uint64_t kibi = 1024;
  MemoryRoom room;
  if (const auto available = number_of(root / "proc/meminfo", "MemAvailable:")) {
    take_least(room, *available * kibi, "this machine");
  }
  for (const Group& group : groups_of_this_process(root)) take_group(room, group);
  rlimit space{};
  const auto pages = number_in(root / "proc/self/statm");
  if (::getrlimit(RLIMIT_AS, &space) == 0 && space.rlim_cur != RLIM_INFINITY && pages) {
    const auto page_bytes = static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
    take_least(room, minus(space.rlim_cur, *pages * page_bytes),
               "the limit of a process (ulimit -v)");
  }
  return room;
}

std::uint64_t oom_kills(const fs::path& root) {
  std::uint64_t kills = number_of(root / "proc/vmstat", "oom_kill").value_or(0);
  for (const Group& group : groups_of_this_process(root)) {
    kills += number_of(group.folder / group.files->oom_file, group.files->oom_word).value_or(0);
  }
  return kills;
}

}  // namespace harness
