/* ddmin.c: see the header. */
#include "reduce/ddmin.h"

/* Pairs are always tried, and every one of them: in a path, a relationship goes together with the node before or behind it. */
static size_t smaller_piece(size_t piece) { return piece == 3 ? 2 : piece / 2; }

bool ew_ddmin(const struct ew_ddmin *job) {
  bool helped = false;
  size_t count = job->count(job->context);
  for (size_t piece = count; piece > 0; piece = smaller_piece(piece)) {
    for (size_t from = 0; from < count && count >= piece + job->least; count = job->count(job->context)) {
      if (job->drop(job->context, from, piece))
        helped = true;
      else
        from += piece == 2 ? 1 : piece;
    }
  }
  return helped;
}
