/* tck_feature.h: the feature files of openCypher's TCK, read into scenarios.

   They are Gherkin, of which the TCK uses this much: Feature, Background, Scenario, Scenario Outline with Examples, steps, tables
   and doc strings. Outlines come out expanded: one scenario for each row of their examples. */
#ifndef EW_CLI_TCK_FEATURE_H
#define EW_CLI_TCK_FEATURE_H

#include "base/arena.h"
#include "base/vector.h"

struct ew_tck_table {
  const struct ew_span *cells; /* row by row, the header among them; blanks around a cell are gone */
  size_t width, rows;
};

struct ew_tck_step {
  struct ew_span text;     /* without Given, When, Then, And */
  struct ew_span document; /* its doc string, without the indent */
  struct ew_tck_table table;
};

struct ew_tck_scenario {
  struct ew_span feature; /* "clauses/match/Match1" */
  struct ew_span name;    /* "[1] …" */
  size_t example;         /* of an outline, from 1; else 0 */
  const struct ew_tck_step *steps;
  size_t step_count;
};

struct ew_tck_suite {
  EW_VECTOR(struct ew_tck_scenario) scenarios; /* in the arena, as all they point to */
};

/* Adds the scenarios of one file. EW_BAD, with the line, where it is no feature file. */
enum ew_status ew_tck_read_feature(struct ew_arena *arena, struct ew_span feature, struct ew_span text,
                                   struct ew_tck_suite *suite, struct ew_error *error) EW_CHECKED;

/* Adds those of every NAME.feature below `folder`, in bytewise order of their paths. */
enum ew_status ew_tck_read_folder(struct ew_arena *arena, const char *folder, struct ew_tck_suite *suite,
                                  struct ew_error *error) EW_CHECKED;

#endif
