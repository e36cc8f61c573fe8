#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

// No more tests have begun than threads run them, with `swift test` too: a proof by a person counts for five minutes, and must not grow
// older because all tests take turns. Read by swift-testing when it starts.
__attribute__((constructor)) static void limit_parallel_tests(void) {
  char width[24];
  snprintf(width, sizeof width, "%ld", sysconf(_SC_NPROCESSORS_ONLN));
  setenv("SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH", width, 0);
}
