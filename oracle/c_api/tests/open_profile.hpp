// A shipped profile, opened by the C function and closed at the end of its scope.
#pragma once

#include <gtest/gtest.h>

#include "fp4cts/oracle.h"

namespace oracle {

class OpenProfile {
 public:
  explicit OpenProfile(const char* name) {
    EXPECT_EQ(fp4cts_oracle_profile_open(name, &profile_), FP4CTS_ORACLE_OK);
  }
  ~OpenProfile() { fp4cts_oracle_profile_close(profile_); }
  OpenProfile(const OpenProfile&) = delete;
  OpenProfile& operator=(const OpenProfile&) = delete;
  fp4cts_oracle_profile* get() const { return profile_; }

 private:
  fp4cts_oracle_profile* profile_ = nullptr;
};

}  // namespace oracle
