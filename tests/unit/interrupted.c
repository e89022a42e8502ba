/* The program where signals interrupt every second call of the system that they may (faults.c), from its begin on. */
#include "faults.h"

static void __attribute__((constructor)) begin(void) { faults_begin(FAULT_INTERRUPT, 0, false); }
