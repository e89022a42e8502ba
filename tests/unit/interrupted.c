/* The program with signals interrupting every second system call that can be interrupted (faults.c). */
#include "faults.h"

static void __attribute__((constructor)) begin(void) { faults_begin(FAULT_INTERRUPT, 0, false); }
