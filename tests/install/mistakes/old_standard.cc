// expect: Dolmen needs C++23
// flags: -std=c++20
#include <dolmen/dolmen.h>
