#include "base/thread_name.h"

#include <pthread.h>

namespace dolmen {

void name_thread(const char* name) {
  // A name that does not fit is not worth a failure.
  static_cast<void>(::pthread_setname_np(::pthread_self(), name));
}

}  // namespace dolmen
