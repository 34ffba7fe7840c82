/* letters.c: capital and small letters of the alphabets that test data has. A full table of Unicode would be larger
   than all the functions together; what is not here is left open. */
#include "model/letters.h"

#include "base/utf8.h"

/* Letters in pairs: a capital at each `step`th place from `first` to `last`, its small form `distance` behind it. */
static const struct {
  uint32_t first, last, step, distance;
} ranges[] = {
    {0xc0, 0xd6, 1, 32},   {0xd8, 0xde, 1, 32},   {0x100, 0x12e, 2, 1},  {0x132, 0x136, 2, 1},  {0x139, 0x147, 2, 1},
    {0x14a, 0x176, 2, 1},  {0x179, 0x17d, 2, 1},  {0x386, 0x386, 1, 38}, {0x388, 0x38a, 1, 37}, {0x38c, 0x38c, 1, 64},
    {0x38e, 0x38f, 1, 63}, {0x391, 0x3a1, 1, 32}, {0x3a3, 0x3ab, 1, 32}, {0x400, 0x40f, 1, 80}, {0x410, 0x42f, 1, 32},
    {0x460, 0x480, 2, 1},  {0x48a, 0x4be, 2, 1},
};

/* Letters whose other form is more than one, none at all, or depends on the language: ß, İ, ı, ŉ, ſ, ΐ, ΰ, ς and Σ. */
static bool is_special(uint32_t character) {
  return character == 0xdf || character == 0x130 || character == 0x131 || character == 0x149 || character == 0x17f ||
         character == 0x390 || character == 0x3b0 || character == 0x3c2 || character == 0x3a3;
}

/* Characters that are no letters, or letters of scripts without case, as far as we know them. */
static bool has_no_case(uint32_t character) {
  return character < 0xc0 || character == 0xd7 || character == 0xf7 || (character >= 0x2000 && character < 0x2070) ||
         (character >= 0x2190 && character < 0x2400) || (character >= 0x3040 && character < 0x3100) ||
         (character >= 0x4e00 && character < 0xa000) || (character >= 0x1f300 && character < 0x1fb00);
}

bool ew_letter_map(uint32_t character, bool upper, struct ew_text *text) {
  bool known = has_no_case(character) && character != 0xb5; /* the micro sign's capital is the Greek letter */
  for (size_t i = 0; i < EW_COUNT(ranges) && !known && !is_special(character); i++) {
    uint32_t capital = character;
    if (character >= ranges[i].first + ranges[i].distance && character <= ranges[i].last + ranges[i].distance &&
        (character - ranges[i].first - ranges[i].distance) % ranges[i].step == 0)
      capital = character - ranges[i].distance;
    else if (character < ranges[i].first || character > ranges[i].last ||
             (character - ranges[i].first) % ranges[i].step)
      continue;
    known = true;
    character = upper ? capital : capital + ranges[i].distance;
  }
  if (!known && character == 0xff) { /* ÿ and its capital are far apart */
    known = true;
    character = upper ? 0x178 : 0xff;
  }
  ew_utf8_add(text, character);
  return known;
}
