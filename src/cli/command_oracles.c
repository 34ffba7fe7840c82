/* command_oracles.c: `edgewise oracles`. */
#include "cli/commands.h"
#include "cli/output.h"
#include "lang/languages.h"
#include "oracle/oracles.h"

enum ew_exit ew_command_oracles(const struct ew_arguments *given) {
  struct ew_text text = {0};
  (void)given;
  for (size_t i = 0; ew_oracles[i]; i++) {
    ew_text_add_padded(&text, ew_span_of(ew_oracles[i]->name), 12);
    size_t before = text.length;
    for (size_t k = 0; ew_languages[k]; k++) {
      if (!ew_oracles[i]->speaks(ew_languages[k])) continue;
      ew_text_add_format(&text, "%s%s", text.length > before ? ", " : "", ew_languages[k]->name);
    }
    for (size_t used = text.length - before; used < 18; used++) ew_text_add_char(&text, ' ');
    ew_text_add_format(&text, "%s\n", ew_oracles[i]->summary);
  }
  return ew_output_last(&text, EW_EXIT_NOTHING);
}
