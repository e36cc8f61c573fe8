/* Nothing to call: a program that is linked with this module wipes what it frees. */
#ifndef CWIPINGALLOCATOR_H
#define CWIPINGALLOCATOR_H
#endif
