// fp4cts list: what there is to run, and why not where not.
#include <fmt/format.h>

#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <vector>

#include "harness/cli/catalog.hpp"
#include "harness/cli/commands.hpp"
#include "harness/cli/common_options.hpp"
#include "harness/cli/duts.hpp"
#include "harness/cli/text_table.hpp"
#include "harness/model/software_instruction.hpp"

namespace harness::cli {
namespace {

std::string_view name_of(kernels::Backend backend) {
  switch (backend) {
    case kernels::Backend::cuda:
      return "cuda";
    case kernels::Backend::hip:
      return "hip";
    case kernels::Backend::ptx:
      break;
  }
  return "ptx";
}

std::size_t cases_at(const Operation& operation, Level level) {
  return operation.cases(level, 0).size();
}

nlohmann::ordered_json as_json(const Suite& suite, const Survey& survey, const Catalog& catalog,
                               bool with_cases) {
  nlohmann::ordered_json operations = nlohmann::ordered_json::array();
  for (const Operation* operation : suite.operations) {
    nlohmann::ordered_json counts;
    for (const Level level : {Level::smoke, Level::standard, Level::full, Level::exhaustive}) {
      counts[std::string(harness::name_of(level))] = cases_at(*operation, level);
    }
    nlohmann::ordered_json object{{"name", operation->name()},
                                  {"summary", operation->summary()},
                                  {"cases", std::move(counts)}};
    if (with_cases) {
      object["case_list"] = nlohmann::ordered_json::array();
      for (const Case& each : operation->cases(Level::exhaustive, 0)) {
        object["case_list"].push_back(
            {{"id", each.id}, {"level", harness::name_of(each.level)}, {"comment", each.comment}});
      }
    }
    operations.push_back(std::move(object));
  }
  nlohmann::ordered_json devices = nlohmann::ordered_json::array();
  for (const DeviceInfo& device : survey.present) devices.push_back(to_json(device));
  nlohmann::ordered_json absent = nlohmann::ordered_json::array();
  nlohmann::ordered_json refused = nlohmann::ordered_json::array();
  for (const NotRunRecord& record : catalog.not_run) {
    if (record.path.empty()) {
      absent.push_back({{"device", record.device}, {"reason", record.reason}});
    } else {
      refused.push_back(
          {{"path", record.path}, {"device", record.device}, {"reason", record.reason}});
    }
  }
  nlohmann::ordered_json implementations = nlohmann::ordered_json::array();
  for (const auto& implementation : catalog.implementations) {
    implementations.push_back(to_json(implementation->info()));
  }
  nlohmann::ordered_json modules = nlohmann::ordered_json::array();
  for (const kernels::Image& image : suite.images) {
    modules.push_back({{"module", image.module},
                       {"backend", name_of(image.backend)},
                       {"architectures", image.architectures},
                       {"toolkit", image.toolkit},
                       {"built", image.built()},
                       {"bytes", image.built() ? image.size() : 0},
                       {"absent_reason", image.absent_reason},
                       {"never_executed", image.never_executed}});
  }
  return {{"operations", std::move(operations)}, {"devices", std::move(devices)},
          {"devices_absent", std::move(absent)}, {"implementations", std::move(implementations)},
          {"not_opened", std::move(refused)},    {"modules", std::move(modules)}};
}

std::string operations_text(const Suite& suite) {
  TextTable table({{"operation"},
                   {"smoke", Align::right},
                   {"standard", Align::right},
                   {"full", Align::right},
                   {"exhaustive", Align::right},
                   {"summary"}});
  for (const Operation* operation : suite.operations) {
    std::vector<std::string> cells{std::string(operation->name())};
    for (const Level level : {Level::smoke, Level::standard, Level::full, Level::exhaustive}) {
      cells.push_back(fmt::format("{}", cases_at(*operation, level)));
    }
    cells.emplace_back(operation->summary());
    table.add(std::move(cells));
  }
  return "Operations, with their cases at each level\n" + table.text();
}

std::string devices_text(const Survey& survey, const Catalog& catalog) {
  TextTable table({{"device"}, {"what it is"}});
  for (const DeviceInfo& device : survey.present) table.add({device.name, device.description});
  for (const NotRunRecord& record : catalog.not_run) {
    if (record.path.empty()) table.add({record.device, "not available: " + record.reason});
  }
  return "Devices\n" + table.text();
}

std::string implementations_text(const Suite& suite, const Catalog& catalog) {
  TextTable table({{"operation"}, {"path"}, {"device"}, {"profile"}, {"available"}});
  for (const Operation* operation : suite.operations) {
    for (const auto& implementation : catalog.implementations) {
      const ImplementationInfo& info = implementation->info();
      if (info.operation != operation->name()) continue;
      table.add({info.operation, info.path, info.device, info.profile,
                 !info.unavailable.empty()       ? "no: " + info.unavailable
                 : instruction_in_software(info) ? "yes, its instruction in software"
                                                 : "yes"});
    }
  }
  for (const NotRunRecord& record : catalog.not_run) {
    if (record.path.empty()) continue;
    table.add({"*", record.path, record.device.empty() ? "*" : record.device, "-",
               "no: " + record.reason});
  }
  return "Implementations\n" + table.text();
}

std::string modules_text(const Suite& suite) {
  TextTable table(
      {{"module"}, {"for"}, {"assembled by"}, {"architectures"}, {"assembled, never executed"}});
  for (const kernels::Image& image : suite.images) {
    table.add({std::string(image.module), std::string(name_of(image.backend)),
               std::string(image.built() ? image.toolkit : "-"),
               std::string(image.built() ? image.architectures : image.absent_reason),
               std::string(image.never_executed.empty() ? "-" : image.never_executed)});
  }
  return "Modules in this build (assembled; only those of a device above can run here)\n" +
         table.text();
}

}  // namespace

void add_list_command(CLI::App& app, const Suite& suite, Action& action) {
  CLI::App* command = app.add_subcommand(
      "list", "operations, devices, implementations and modules; for what is not available, why");
  struct ListOptions {
    bool json = false;
    bool cases = false;
    Selection selection;
  };
  const auto options = std::make_shared<ListOptions>();
  add_under_test_options(*command, suite.kinds, options->selection);
  add_device_option(*command, options->selection);
  command->add_flag("--json", options->json, "as a JSON object");
  command->add_flag("--cases", options->cases, "the cases too, with what each is there to see");
  command->callback([&action, &suite, options] {
    action = [&suite, options] {
      if (Status status = check_under_test(options->selection); !status) {
        return fail_with(exit_usage, status.error().message);
      }
      const WorkerOptions worker;
      const Survey survey = survey_machine(worker);
      if (!survey.no_worker.empty()) return fail_with(exit_error, survey.no_worker);
      if (Status status = check_device_names(options->selection.devices, survey); !status) {
        return fail_with(exit_usage, status.error().message);
      }
      const Result<Catalog> opened = open_catalog(survey, options->selection, worker);
      if (!opened) return fail_with(exit_usage, opened.error().message);
      const Catalog& catalog = *opened;
      if (options->json) {
        std::puts(as_json(suite, survey, catalog, options->cases).dump(2).c_str());
        return exit_conforms;
      }
      std::puts(operations_text(suite).c_str());
      if (options->cases) {
        TextTable table({{"case"}, {"level"}, {"what it is there to see"}});
        for (const Operation* operation : suite.operations) {
          for (const Case& each : operation->cases(Level::exhaustive, 0)) {
            table.add({each.id, std::string(harness::name_of(each.level)), each.comment});
          }
        }
        std::puts(("Cases\n" + table.text()).c_str());
      }
      std::puts(devices_text(survey, catalog).c_str());
      std::puts(implementations_text(suite, catalog).c_str());
      if (all_under_test(options->selection).empty()) {
        std::fputs(modules_text(suite).c_str(), stdout);
      }
      return exit_conforms;
    };
  });
}

}  // namespace harness::cli
