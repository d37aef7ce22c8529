# The only commands a newcomer needs. Each installs what it lacks; see scripts/setup.sh.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.SILENT:
# A rustup that was installed a moment ago is not on the PATH of this shell yet.
export PATH := $(PATH):$(HOME)/.cargo/bin

.PHONY: help run test bench lint sanitize package

help: ## this list
	sed -n 's/^\([a-z]*\):.*## \(.*\)/  make \1\t\2/p' Makefile | expand -t 16

run: ## measure this machine: build, run the study "quick", print the answer, write results and report
	scripts/run.sh

test: ## every test
	scripts/test.sh

sanitize: ## the C code of the workers under ASan and UBSan
	scripts/sanitize.sh

bench: ## tlstax against its peers and its own promises; prints figures
	scripts/setup.sh
	bench/run.sh

package: ## a .deb and a wheel of what is built here: docs/installing.md
	scripts/package.sh

lint: ## format, clippy, licences and bans of dependencies
	scripts/lint.sh
