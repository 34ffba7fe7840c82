/* command_mute.c: `edgewise mute [ID]` and `edgewise unmute ID`. */
#include "cli/commands.h"
#include "cli/findings.h"
#include "cli/output.h"
#include "hunt/known.h"

/* The group of a finding that is on disk, which may never have been seen by a hunt of this user; else one that known.db
   knows by these digits. */
static enum ew_status find_group(struct ew_known *known, const char *name, struct ew_arena *arena,
                                 struct ew_known_group *group, struct ew_error *error) {
  struct ew_text folder = {0};
  struct ew_finding finding;
  enum ew_status status = ew_finding_open(arena, name, &finding, &folder, error);
  ew_text_release(&folder);
  if (status) return status == EW_USAGE ? ew_known_search(known, name, arena, group, error) : status;
  status = ew_known_find(known, finding.group, arena, group, error);
  if (status || group->there) return status;
  status = ew_known_record(known, &finding, error);
  return status ? status : ew_known_find(known, finding.group, arena, group, error);
}

static void add_group(struct ew_text *text, const struct ew_known_group *group) {
  ew_text_add_format(text, "%s  since %s  %.*s\n", ew_group_text(group->group).text, group->since,
                     EW_SPAN_ARGS(group->title));
  if (group->note.length) ew_text_add_format(text, "    %.*s\n", EW_SPAN_ARGS(group->note));
}

static enum ew_status list(struct ew_known *known, struct ew_arena *arena, struct ew_text *text,
                           struct ew_error *error) {
  struct ew_known_group *groups = NULL;
  size_t count = 0;
  enum ew_status status = ew_known_muted(known, arena, &groups, &count, error);
  for (size_t i = 0; i < count; i++) add_group(text, &groups[i]);
  if (!status && !count) ew_text_add_string(text, "nothing is muted\n");
  return status;
}

static enum ew_status change(struct ew_known *known, const struct ew_arguments *given, bool muted,
                             struct ew_arena *arena, struct ew_text *text, struct ew_error *error) {
  const struct ew_setting *note = ew_setting(given, EW_OPTION_note);
  struct ew_known_group group;
  enum ew_status status = find_group(known, given->words[0], arena, &group, error);
  if (!status)
    status = ew_known_mute(known, group.group, muted, note->given ? ew_span_of(note->text) : EW_SPAN(""), error);
  if (!status) status = ew_known_find(known, group.group, arena, &group, error);
  if (status) return status;
  ew_text_add_string(text, muted ? "muted: " : "no longer muted: ");
  add_group(text, &group);
  return EW_OK;
}

static enum ew_exit run(const struct ew_arguments *given, bool muted) {
  struct ew_arena arena;
  struct ew_text path = {0}, text = {0};
  struct ew_known *known = NULL;
  struct ew_error error;
  ew_arena_init(&arena);
  enum ew_status status = ew_known_path(&path, &error);
  if (!status) status = ew_known_open(path.bytes, &known, &error);
  if (!status)
    status =
        given->word_count ? change(known, given, muted, &arena, &text, &error) : list(known, &arena, &text, &error);
  ew_known_close(known);
  ew_text_release(&path);
  ew_arena_release(&arena);
  if (status) ew_text_release(&text);
  return status ? ew_give_up(status, &error) : ew_output_last(&text, EW_EXIT_NOTHING);
}

enum ew_exit ew_command_mute(const struct ew_arguments *given) { return run(given, true); }
enum ew_exit ew_command_unmute(const struct ew_arguments *given) { return run(given, false); }
