#pragma once

#if __cplusplus < 202100L
#error \
    "Dolmen needs C++23: compile with -std=c++23, or in CMake target_compile_features(YOUR_TARGET PRIVATE cxx_std_23)"
// Thousands of errors would follow; a file that is not there ends the compilation.
#include <the error above ends the compilation>
#endif
