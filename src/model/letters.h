/* letters.h: capital and small letters beyond ASCII. For this room only. */
#ifndef EW_MODEL_LETTERS_H
#define EW_MODEL_LETTERS_H

#include "base/text.h"

/* Adds the capital or small form of a character to `text`. False, and the character as it is, where we cannot tell: the
   table has the letters of Latin-1, Latin Extended-A, Greek and Cyrillic, no others. */
bool ew_letter_map(uint32_t character, bool upper, struct ew_text *text);

#endif
