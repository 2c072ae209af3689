/* The ends of a program, for targets that come without a C library. */
#ifndef TIGHTFIT_STDLIB_H
#define TIGHTFIT_STDLIB_H

#include <stddef.h>

void abort(void) __attribute__((noreturn));
void exit(int status) __attribute__((noreturn));
void _exit(int status) __attribute__((noreturn));

#endif
