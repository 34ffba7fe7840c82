/* command_format.c: `edgewise format [FILE]`: the tree of a statement, printed. */
#include "cli/commands.h"
#include "cli/output.h"
#include "cli/script.h"
#include "lang/cypher/print.h"

enum { FLUSH_BYTES = 1 << 16 };

enum ew_exit ew_command_format(const struct ew_arguments *given) {
  struct ew_arena arena;
  struct ew_text text = {0};
  struct ew_script script;
  struct ew_error error;
  ew_arena_init(&arena);
  enum ew_status status = ew_script_read(&arena, given->words[0], &script);
  enum ew_exit code = ew_status_exit(status);
  const struct ew_cypher_script *all = &script.statements;
  for (size_t i = 0; !status && i < all->count; i++) {
    ew_cypher_print(&text, all->items[i].statement, NULL);
    ew_text_add_string(&text, script.by_line || all->count == 1 ? "\n" : ";\n");
    if (text.length >= FLUSH_BYTES || i + 1 == all->count) status = ew_output(&text, &error);
    if (status) code = ew_give_up(status, &error);
  }
  ew_text_release(&text);
  ew_arena_release(&arena);
  return code;
}
