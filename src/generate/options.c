/* options.c: the options that shape generation: their standard, their hash, and dials from text. */
#include "base/hash.h"
#include "generate/generate.h"

static const struct {
  const char *name;
  unsigned low, high;
} dials[EW_DIALS] = {
#define DIAL(name, standard, low, high, help) [EW_DIAL_##name] = {#name, low, high},
#include "generate/dial.def"
#undef DIAL
};

const struct ew_generate_options ew_generate_options_standard = {
    .state = EW_TRACK_EXACT,
    .dials =
        {
#define DIAL(name, standard, low, high, help) [EW_DIAL_##name] = standard,
#include "generate/dial.def"
#undef DIAL
        },
};

uint64_t ew_generate_options_hash(const struct ew_generate_options *options) {
  uint64_t hash = ew_hash_mix(options->style, options->state);
  hash = ew_hash_mix(hash, (uint64_t)options->without_summary * 2 + options->without_context);
  for (size_t i = 0; i < EW_DIALS; i++) hash = ew_hash_mix(hash, options->dials[i]);
  return hash;
}

static enum ew_status set_dial(struct ew_generate_options *options, struct ew_span name, struct ew_span number,
                               struct ew_error *error) {
  for (size_t i = 0; i < EW_DIALS; i++) {
    if (!ew_span_is(name, dials[i].name)) continue;
    unsigned setting = 0;
    bool digits = number.length > 0 && number.length < 7;
    for (size_t k = 0; k < number.length && digits; k++) {
      digits = number.bytes[k] >= '0' && number.bytes[k] <= '9';
      setting = setting * 10 + (unsigned)(number.bytes[k] - '0');
    }
    if (!digits || setting < dials[i].low || setting > dials[i].high)
      return ew_fail(error, EW_USAGE, "%s is a number from %u to %u, not '%.*s'", dials[i].name, dials[i].low,
                     dials[i].high, EW_SPAN_ARGS(number));
    options->dials[i] = setting;
    return EW_OK;
  }
  return ew_fail(error, EW_USAGE, "there is no dial '%.*s'", EW_SPAN_ARGS(name));
}

enum ew_status ew_generate_options_read_dials(struct ew_generate_options *options, struct ew_span text,
                                              struct ew_error *error) {
  enum ew_status status = EW_OK;
  while (text.length && !status) {
    size_t end = 0, equals;
    while (end < text.length && text.bytes[end] != ',') end++;
    for (equals = 0; equals < end && text.bytes[equals] != '=';) equals++;
    struct ew_span name = {text.bytes, equals};
    struct ew_span number = {text.bytes + equals + 1, equals < end ? end - equals - 1 : 0};
    status = set_dial(options, name, number, error);
    size_t past = end < text.length ? end + 1 : end;
    text = (struct ew_span){text.bytes + past, text.length - past};
  }
  return status;
}
