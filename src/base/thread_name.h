#pragma once

namespace dolmen {

/// Names the calling thread for tools that show threads, such as `top -H`. At most 15 characters.
void name_thread(const char* name);

}  // namespace dolmen
