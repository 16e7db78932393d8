/*
 * accelerators.h - whether this process trains on an accelerator, as far as can be told without touching its driver.
 */
#ifndef LACUNA_ACCELERATORS_H
#define LACUNA_ACCELERATORS_H

#include <stdbool.h>

/*
 * True where a build of PyTorch for an accelerator is loaded, that accelerator's driver is there and the environment does
 * not hide its devices. No driver is started: a process that forks its trainers could not hand a started one on.
 */
bool accelerators_are_here(void);

#endif
