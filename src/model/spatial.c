/* spatial.c: points, their components, distances and boxes. openCypher has none of it; this is Neo4j's manual, "Spatial
   functions". */
#include <math.h>

#include "model/function.h"
#include "model/portable.h"

enum { WGS_84 = 4326, WGS_84_3D = 4979, CARTESIAN = 7203, CARTESIAN_3D = 9157 };

static const struct {
  int32_t srid;
  const char *name;
  bool geographic, deep; /* deep: three axes */
} systems[] = {{WGS_84, "wgs-84", true, false},
               {WGS_84_3D, "wgs-84-3d", true, true},
               {CARTESIAN, "cartesian", false, false},
               {CARTESIAN_3D, "cartesian-3d", false, true}};

static bool is_geographic(int32_t srid) { return srid == WGS_84 || srid == WGS_84_3D; }
static bool is_deep(int32_t srid) { return srid == WGS_84_3D || srid == CARTESIAN_3D; }

/* ---- making ---- */

/* A map's number under one of two keys; null is remembered. */
struct axis {
  bool given, geographic; /* geographic: under the second key */
  double number;
};

struct order {
  struct ew_execution *run;
  struct ew_items map;
  bool null;
};

static struct axis read_axis(struct order *order, const char *plain, const char *geographic) {
  const struct ew_value *value = ew_items_find(order->map, ew_span_of(geographic));
  struct axis axis = {.geographic = value != NULL};
  if (!value) value = ew_items_find(order->map, ew_span_of(plain));
  if (!value) return axis;
  axis.given = true;
  if (value->kind == EW_VALUE_NULL)
    order->null = true;
  else if (value->kind == EW_VALUE_INTEGER)
    axis.number = (double)value->integer;
  else if (value->kind == EW_VALUE_FLOAT)
    axis.number = value->number;
  else
    ew_run_fail(order->run, EW_FAULT_ARGUMENT_VALUE, "%s is a number, no %s", plain, ew_kind_text(*value));
  return axis;
}

/* The system that crs or srid asks for; 0 where neither is given. */
static int32_t read_system(struct order *order) {
  const struct ew_value *crs = ew_items_find(order->map, EW_SPAN("crs")),
                        *srid = ew_items_find(order->map, EW_SPAN("srid"));
  const struct ew_value *value = crs ? crs : srid;
  if (!value) return 0;
  if (value->kind == EW_VALUE_NULL) {
    order->null = true;
    return 0;
  }
  for (size_t i = 0; i < EW_COUNT(systems); i++) {
    if (crs && crs->kind == EW_VALUE_STRING && crs->string.length == strlen(systems[i].name) &&
        strncasecmp(crs->string.bytes, systems[i].name, crs->string.length) == 0)
      return systems[i].srid;
    if (!crs && srid->kind == EW_VALUE_INTEGER && srid->integer == systems[i].srid) return systems[i].srid;
  }
  ew_run_fail(order->run, EW_FAULT_ARGUMENT_VALUE, "no such system of coordinates");
  return 0;
}

/* Longitudes go round; latitudes do not. */
static bool check_globe(struct ew_execution *run, struct ew_point_value *point) {
  if (!(fabs(point->y) <= 90)) {
    ew_run_fail(run, EW_FAULT_ARGUMENT_VALUE, "a latitude beyond 90 degrees");
    return false;
  }
  if (isfinite(point->x) && fabs(point->x) > 180) {
    double turned = fmod(point->x, 360);
    point->x = turned > 180 ? turned - 360 : turned < -180 ? turned + 360 : turned;
  }
  return true;
}

struct ew_value ew_function_point(struct ew_execution *run, const struct ew_value *arguments, size_t count) {
  (void)count;
  if (arguments[0].kind == EW_VALUE_POINT) return arguments[0];
  if (arguments[0].kind != EW_VALUE_MAP)
    return ew_run_fail(run, EW_FAULT_ARGUMENT_VALUE, "point() of a %s", ew_kind_text(arguments[0]));
  struct order order = {.run = run, .map = arguments[0].map};
  struct axis x = read_axis(&order, "x", "longitude"), y = read_axis(&order, "y", "latitude"),
              z = read_axis(&order, "z", "height");
  int32_t wanted = read_system(&order);
  if (run->failed || order.null) return ew_null();
  if (!x.given || !y.given) return ew_run_fail(run, EW_FAULT_ARGUMENT_VALUE, "a point needs two axes");
  bool geographic = x.geographic || y.geographic || (wanted && is_geographic(wanted));
  int32_t srid = geographic ? (z.given ? WGS_84_3D : WGS_84) : z.given ? CARTESIAN_3D : CARTESIAN;
  if (wanted && wanted != srid) return ew_run_fail(run, EW_FAULT_ARGUMENT_VALUE, "the axes do not fit the system");
  struct ew_point_value *point = EW_NEW(run->arena, struct ew_point_value);
  *point = (struct ew_point_value){srid, x.number, y.number, z.number};
  if (geographic && !check_globe(run, point)) return ew_null();
  return (struct ew_value){.kind = EW_VALUE_POINT, .point = point};
}

/* ---- components ---- */

bool ew_point_component(struct ew_execution *run, struct ew_value value, struct ew_span key,
                        struct ew_value *component) {
  (void)run;
  const struct ew_point_value *point = value.point;
  bool geographic = is_geographic(point->srid), deep = is_deep(point->srid);
  if (ew_span_is(key, "x") || (geographic && ew_span_is(key, "longitude")))
    *component = ew_float(point->x);
  else if (ew_span_is(key, "y") || (geographic && ew_span_is(key, "latitude")))
    *component = ew_float(point->y);
  else if (deep && (ew_span_is(key, "z") || (geographic && ew_span_is(key, "height"))))
    *component = ew_float(point->z);
  else if (ew_span_is(key, "srid"))
    *component = ew_integer(point->srid);
  else if (ew_span_is(key, "crs")) {
    *component = ew_null();
    for (size_t i = 0; i < EW_COUNT(systems); i++)
      if (systems[i].srid == point->srid) *component = ew_string(ew_span_of(systems[i].name));
  } else
    return false;
  return true;
}

/* ---- measuring ---- */

static bool are_points(struct ew_execution *run, const struct ew_value *arguments, size_t count) {
  for (size_t i = 0; i < count; i++) {
    if (arguments[i].kind == EW_VALUE_POINT) continue;
    ew_run_fail(run, EW_FAULT_ARGUMENT_VALUE, "%s is no point", ew_kind_text(arguments[i]));
    return false;
  }
  return true;
}

/* By the haversine formula, on a sphere as wide as the equator; heights count as in a flat world. Engines differ in how large
   the earth is. */
static double globe_distance(struct ew_execution *run, const struct ew_point_value *a,
                             const struct ew_point_value *b) {
  static const double radius = 6378140.0, degree = 0.017453292519943295;
  double up = EW_REAL(run, sin, (b->y - a->y) * degree / 2), along = EW_REAL(run, sin, (b->x - a->x) * degree / 2);
  double width = EW_REAL(run, cos, a->y * degree) * EW_REAL(run, cos, b->y * degree);
  double angle = 2 * EW_REAL(run, asin, sqrt(up * up + width * along * along));
  ew_run_is_open(run, EW_OPEN_UNDEFINED);
  double ground = (radius + (a->z + b->z) / 2) * angle;
  return a->z == b->z ? ground : sqrt(ground * ground + (a->z - b->z) * (a->z - b->z));
}

struct ew_value ew_function_distance(struct ew_execution *run, const struct ew_value *arguments, size_t count) {
  if (!are_points(run, arguments, count)) return ew_null();
  const struct ew_point_value *a = arguments[0].point, *b = arguments[1].point;
  if (a->srid != b->srid) return ew_null();
  if (is_geographic(a->srid)) return ew_float(globe_distance(run, a, b));
  double x = a->x - b->x, y = a->y - b->y, z = a->z - b->z;
  return ew_float(sqrt(x * x + y * y + z * z));
}

static bool within(double number, double low, double high) { return number >= low && number <= high; }

struct ew_value ew_function_within_bbox(struct ew_execution *run, const struct ew_value *arguments, size_t count) {
  if (!are_points(run, arguments, count)) return ew_null();
  const struct ew_point_value *point = arguments[0].point, *low = arguments[1].point, *high = arguments[2].point;
  if (point->srid != low->srid || point->srid != high->srid) return ew_null();
  bool across =
      is_geographic(point->srid) && low->x > high->x; /* the box crosses the line where longitudes begin again */
  bool inside = across ? point->x >= low->x || point->x <= high->x : within(point->x, low->x, high->x);
  return ew_boolean(inside && within(point->y, low->y, high->y) && within(point->z, low->z, high->z));
}
