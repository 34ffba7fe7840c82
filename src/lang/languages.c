/* languages.c: the table of languages, from language.def. */
#include "lang/languages.h"

#define LANGUAGE(name) extern const struct ew_language ew_##name;
#include "lang/language.def"
#undef LANGUAGE

const struct ew_language *const ew_languages[] = {
#define LANGUAGE(name) &ew_##name,
#include "lang/language.def"
#undef LANGUAGE
    NULL,
};

const struct ew_language *ew_language_find(struct ew_span name) {
  for (size_t i = 0; ew_languages[i]; i++)
    if (ew_span_is(name, ew_languages[i]->name)) return ew_languages[i];
  return NULL;
}
