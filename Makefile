# The front door: installs what is missing, then hands over to meson and ninja. `make help` lists what it knows.

BUILD ?= build
ENGINE ?= graphqlite@0.12.0
TIME ?= 60s
HUNT_FLAGS ?=
PREFIX ?= /usr/local
PROGRAM = $(BUILD)/edgewise
SOURCES = $(shell find src tests/unit tests/fuzz -name '*.[ch]')

.DEFAULT_GOAL := build
.PHONY: build setup hunt test test-live matrix fuzz bench lint format install clean help

build: setup ## build/edgewise, optimised and with debug information
	@tools/build $(BUILD)

setup: ## install what building and hunting need (tools/setup); nothing where all is there
	@tools/setup hunt

hunt: build ## hunt for bugs; TIME=60s ENGINE=graphqlite@0.12.0 HUNT_FLAGS=
	@$(PROGRAM) engines install $(ENGINE)
	@$(PROGRAM) hunt $(ENGINE) --time $(TIME) $(HUNT_FLAGS); code=$$?; \
	case $$code in \
	  0) echo "make hunt: done, nothing found in $(TIME)";; \
	  1) echo "make hunt: done, with findings (edgewise itself ends with exit code 1 then)";; \
	  *) echo "make hunt: edgewise failed with exit code $$code" >&2; exit $$code;; \
	esac

test: ## every suite, in the normal build and under ASan and UBSan; the order of the rooms; gcc against clang
	@tests/run

test-live: ## the live suite with engines that are servers, one version each
	@tests/run live

matrix: ## the same seed gives the same bytes: gcc and clang, debug, release and sanitizers
	@tools/setup bench
	@tools/matrix full

fuzz: ## libFuzzer on what reads bytes of others, TIME=60s for each target
	@tools/fuzz $(TIME:s=)

bench: matrix ## every figure that is stated anywhere; long, and resumable
	@if test -x bench/run; then bench/run; fi

lint: ## clang-tidy and the formatting
	@tools/setup lint
	@tools/build $(BUILD) -Dtests=true
	@clang-format --dry-run --Werror $(SOURCES)
	@printf '%s\n' $(filter %.c,$(SOURCES)) | xargs -P "$$(nproc)" -n 4 clang-tidy -p $(BUILD) --quiet 2>/dev/null
	@tests/check_rooms.py .

format: ## rewrite the sources in the project's format
	@tools/setup lint
	@clang-format -i $(SOURCES)

install: build ## to PREFIX=/usr/local
	@tools/build $(BUILD) -Dprefix=$(PREFIX)
	@meson install -C $(BUILD) --no-rebuild --quiet

clean: ## remove what was built; findings and engines stay
	rm -rf $(BUILD) build-*

help: ## this list
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1\t\2/p' Makefile | expand -t 18
