/* crash.h: what a host leaves behind when its engine dies of a signal: the frames of its stack, in the recorder. */
#ifndef EW_ENGINE_CRASH_H
#define EW_ENGINE_CRASH_H

#include "engine/recorder.h"

/* From now on fatal signals are recorded before they end the process. `recorder` must stay where it is. */
void ew_crash_watch(struct ew_recorder *recorder);

#endif
