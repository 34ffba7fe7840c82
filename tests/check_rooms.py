#!/usr/bin/env python3
"""Holds the order of the rooms under src/ (ARCHITECTURE.md), and a few rules that no compiler knows.

usage: check_rooms.py ROOT | --self-test
"""
import pathlib
import re
import sys
import tempfile

ORDER = ["base", "value", "tree", "contract", "engine", "graph", "lang", "model", "generate", "oracle", "reduce", "report",
         "hunt", "cli"]
# Rooms that may use less than everything before them.
ONLY = {"engine": {"base", "value", "contract", "engine"}}
# Rooms that know no language: not even a name of one may stand there.
LANGUAGE_FREE = {"base", "value", "tree", "contract", "engine", "graph", "report", "hunt"}
LINES_MAX = 900
INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.MULTILINE)
LANGUAGE_NAME = re.compile(r"\b(cypher|datalog|gremlin|ngql)_\w+|\b(CYPHER|DATALOG|GREMLIN|NGQL)_\w+")
HEAP_CALL = re.compile(r"\b(malloc|calloc|realloc)\s*\(")
COMMENT_OR_STRING = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"', re.DOTALL)


def code_only(text):
    """The text without comments and strings."""
    return COMMENT_OR_STRING.sub(" ", text)


def problems_of_include(room, path, included):
    target = included.split("/")[0]
    if target not in ORDER:
        return [f"{path}: includes \"{included}\", which is in no room"]
    if ORDER.index(target) > ORDER.index(room):
        return [f"{path}: {room} must not use {target}, which comes after it (\"{included}\")"]
    if room in ONLY and target not in ONLY[room]:
        return [f"{path}: {room} may use only {', '.join(sorted(ONLY[room]))} (\"{included}\")"]
    in_language = room == "lang" and len(path.parts) > 2
    if in_language and target == "lang" and included.split("/")[1] != path.parts[1]:
        return [f"{path}: languages must not use one another (\"{included}\")"]
    return []


def problems_of_file(src, file):
    path = file.relative_to(src)
    room = path.parts[0]
    text = file.read_text(encoding="utf-8")
    found = []
    for included in INCLUDE.findall(text) if room in ORDER else []:
        found += problems_of_include(room, path, included)
    code = code_only(text)
    if room in LANGUAGE_FREE:
        for name in sorted({match.group(0) for match in LANGUAGE_NAME.finditer(code)}):
            found.append(f"{path}: {room} must not know a language ({name})")
    if str(path) != "base/allocate.c" and HEAP_CALL.search(code):
        found.append(f"{path}: heap memory comes from base/allocate.h only")
    lines = text.count("\n")
    if lines > LINES_MAX:
        found.append(f"{path}: {lines} lines; nobody reads more than {LINES_MAX} in a sitting")
    return found


def problems_of_list(folder, file, listed):
    """Whether the meson.build of the file's folder builds it: a file that nobody builds is dead."""
    build = folder / "meson.build"
    if build.exists() and f"'{listed}'" in build.read_text(encoding="utf-8"):
        return []
    return [f"{file.relative_to(folder.parent)}: is not in the list of its meson.build"]


def problems(root):
    src = pathlib.Path(root) / "src"
    found = []
    for file in sorted(src.rglob("*.c")):
        if file.relative_to(src) != pathlib.Path("cli/main.c"):
            found += problems_of_list(file.parent, file, file.name)
    for file in sorted(pathlib.Path(root, "tests/unit").glob("test_*.c")):
        found += problems_of_list(file.parent, file, file.stem[len("test_"):])
    for folder in sorted(path for path in [src, *src.rglob("*")] if path.is_dir()):
        if any(folder.iterdir()) and not (folder / "README.md").exists():
            found.append(f"{folder.relative_to(src.parent)}: has no README.md")
        if folder.parent == src and folder.name not in ORDER:
            found.append(f"{folder.relative_to(src.parent)}: is no room; add it to the order here and in ARCHITECTURE.md")
    for file in sorted(src.rglob("*")):
        if file.suffix in (".c", ".h", ".def"):
            found += problems_of_file(src, file)
    return found


def self_test():
    """Plants each violation alone in a small tree that is otherwise clean, and sees that it is found."""
    clean = {"base/a.h": "", "value/v.h": '#include "base/a.h"\n', "contract/c.h": '#include "tree/t.h"\n', "tree/t.h": "",
             "engine/e.c": '#include "contract/c.h"\n', "lang/cypher/l.h": '#include "lang/cypher/m.h"\n',
             "lang/datalog/d.h": "/* not as cypher_match does it */\n", "hunt/h.c": 'say("cypher_match");\n'}
    planted = {
        "later room": {"base/a.h": '#include "value/v.h"\n'},
        "later room, spaced": {"value/v.h": '  #  include "tree/t.h"\n'},
        "engine uses tree": {"engine/e.c": '#include "tree/t.h"\n'},
        "language uses language": {"lang/datalog/d.h": '#include "lang/cypher/l.h"\n'},
        "no room": {"base/a.h": '#include "elsewhere/a.h"\n'},
        "new folder": {"attic/a.c": ""},
        "language named": {"hunt/h.c": "int kind = CYPHER_match;\n"},
        "heap": {"value/v.h": "void *p = malloc(3);\n"},
        "long file": {"base/a.h": "\n" * (LINES_MAX + 1)},
        "no README": {"base/README.md": None},
        "dead file": {"engine/meson.build": "sources = files()\n"},
    }

    def check(changes):
        with tempfile.TemporaryDirectory() as root:
            files = dict(clean)
            for name in [*clean, *changes]:
                parts = name.split("/")[:-1]
                for depth in range(len(parts) + 1):
                    files["/".join([*parts[:depth], "README.md"])] = "what lives here\n"
            for name in [*clean, *changes]:
                if name.endswith(".c"):
                    files[name.rsplit("/", 1)[0] + "/meson.build"] = f"'{name.rsplit('/', 1)[1]}'\n"
            files.update(changes)
            for name, text in files.items():
                if text is not None:
                    path = pathlib.Path(root, "src", name)
                    path.parent.mkdir(parents=True, exist_ok=True)
                    path.write_text(text, encoding="utf-8")
            return problems(root)

    wrong = [f"clean tree: {problem}" for problem in check({})]
    for name, changes in planted.items():
        found = check(changes)
        if len(found) != 1:
            wrong.append(f"planted '{name}': found {found}, wanted exactly one problem")
    return wrong


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    found = self_test() if sys.argv[1] == "--self-test" else problems(sys.argv[1])
    for problem in found:
        print(problem)
    print(f"rooms: {len(found)} problem{'' if len(found) == 1 else 's'}")
    sys.exit(1 if found else 0)


main()
