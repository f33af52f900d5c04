#include "harness/cli/suite.hpp"

int main(int argc, char** argv) {
  return harness::cli::run_command_line(argc, argv, harness::cli::shipped_suite());
}
