/* languages.h: the table of languages. */
#ifndef EW_LANG_LANGUAGES_H
#define EW_LANG_LANGUAGES_H

#include "contract/language.h"

/* Ends with NULL. */
extern const struct ew_language *const ew_languages[];
const struct ew_language *ew_language_find(struct ew_span name);

#endif
