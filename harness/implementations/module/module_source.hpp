// A kernel in a file of GPU code as an implementation under test (docs/plug-ins.md, "A module
// file"): a JSON map says how an operation's arguments become its parameters.
#pragma once

#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <span>

#include "harness/implementations/isolation/isolation.hpp"
#include "harness/model/operation.hpp"
#include "harness/model/result.hpp"

namespace harness {

// That a map and the file that it names can be read. Error: the member, expected and actual.
Status check_module(const std::filesystem::path& map);

// What a worker opens for the spec {"kind": "module", "origin": MAP}: without a "device" what the
// kernel is called, with "device": "cuda:0" its implementation. Error: as check_module; a name that
// the operation does not have; the runtime's, where the module does not load there.
std::function<Result<OpenedSource>(const nlohmann::json& spec)> module_kind(
    std::span<const Operation* const> operations);

}  // namespace harness
