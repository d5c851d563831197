# Verbs. The first use of any of them makes .venv, as ./farfalia does.

python := .venv/bin/python
# Two processes for each core and one more: half of the time tests wait, for servers, kills and limits.
pytest := -m pytest -n $(shell expr 2 \* $$(getconf _NPROCESSORS_ONLN) + 1) --dist loadfile --no-loadscope-reorder $(TRIES)
pip_install := -m pip install --quiet --no-input --disable-pip-version-check
stubs := clients/python
stub_tools := .venv-proto/grpcio-tools-1.76.0
protos := $(wildcard proto/farfalia/v1/*.proto)
own_protos := farfalia_server/nodes/forwarding.proto
checked := .venv/lint-and-types.txt

# Processes start without compiling our modules again, even where the environment forbids files beside the sources.
unexport PYTHONDONTWRITEBYTECODE PYTHONPYCACHEPREFIX

.PHONY: proto lock lint type lint-and-types test slow prove endurance endurance-cluster legs compiled check pictures figures catalogues stub-tools

# Generated code, the list of the contract's numbers, and the copy that a bot for Node.js carries.
proto: .venv/checks stub-tools
	.venv-proto/bin/python -m grpc_tools.protoc -I proto --python_out=$(stubs) --pyi_out=$(stubs) --grpc_python_out=$(stubs) $(protos)
	.venv-proto/bin/python -m grpc_tools.protoc -I server --python_out=server --pyi_out=server $(own_protos)
	$(python) tests/test_contract.py
	$(python) -m farfalia_tools.arena_client
	$(python) -m ruff check --fix --quiet clients/python/farfalia/arena_*calls.py
	$(python) -m ruff format --quiet clients/python/farfalia/arena_*calls.py
	for folder in clients/*/proto/farfalia/v1; do cp $(addprefix proto/farfalia/v1/,play.proto cards.proto record.proto) $$folder; done

# The newest versions that fit together, for every Python and platform; then installs them.
lock: .venv-lock/ready
	.venv-lock/bin/uv pip compile --no-config --quiet --upgrade --universal --python-version 3.11 --all-extras \
	  --custom-compile-command "make lock" --output-file requirements.lock pyproject.toml
	$(MAKE) .venv/checks

lint: .venv/checks
	$(python) -m ruff check .
	$(python) -m ruff format --check .
	.venv/bin/lint-imports
	.ci/contract
	.ci/scripts

type: .venv/checks
	$(python) -m mypy

# Tests that take seconds each, for clusters, kills, outages, a real browser and benchmarks, are half of the time.
test: .venv/checks stub-tools | tests/__pycache__
	$(python) $(pytest) -m "not slow"

slow: .venv/checks stub-tools | tests/__pycache__
	$(python) $(pytest) -m slow

# pytest compiles all test files: once in a new checkout, not once in each of its processes, which begin together.
tests/__pycache__: | .venv/checks
	$(python) -m pytest --collect-only -qq >/dev/null || true

# All tests in full: every game with every option, statistics of full size, more examples.
prove: .venv/checks stub-tools | tests/__pycache__
	$(python) $(pytest) --prove

# The long run, an hour or more: ENDURANCE="--matches 300 --kills 5" for a short one, "--help" for all that can be chosen.
endurance: .venv/checks
	$(python) -m tests.endurance $(ENDURANCE)

# The same for three nodes, as root on Linux: nodes are killed 200 times, frozen, and cut off; Redis loses its data.
endurance-cluster: .venv/checks
	$(python) -m tests.endurance --nodes 3 --matches 500 --kills 200 --freezes 20 --redis-kills 20 --redis-losses 10 \
	  --postgres-stops 10 --redis-cuts 20 --postgres-cuts 20 --bot-cuts 10 $(ENDURANCE)

# Pictures of all pages, to be looked at, and which of them differ from those that were agreed on.
PICTURES ?= .venv/pictures
pictures: .venv/checks
	$(python) -m pytest -q tests/browser/test_pictures.py --pictures $(PICTURES)
	$(python) -m tests.browser.agreed_pictures $(PICTURES)

# What benchmarks measured, in documents: FIGURES="--only pairing" for one of them, "--help" for the rest.
figures: .venv/checks
	$(python) -m tests.figures $(FIGURES)

# What the pages say, in the catalogues of all languages; says what they lack.
catalogues: .venv/checks
	$(python) -m farfalia_tools.catalogues

# While tests wait, lint and mypy have time. What they say is shown when they are through, and if it is bad again below
# what the tests say.
check: .venv/checks stub-tools
	@$(MAKE) --no-print-directory --keep-going --jobs=2 lint-and-types test || { cat $(checked); exit 1; }

lint-and-types:
	@$(MAKE) --no-print-directory lint type >$(checked) 2>&1; code=$$?; cat $(checked); exit $$code

# The compiled build of this checkout, in an environment of its own. It needs a C compiler and a package index.
compiled: .venv/checks
	$(python) -m venv --clear .venv-compiled
	HATCH_BUILD_HOOK_ENABLE_CUSTOM=true .venv-compiled/bin/python $(pip_install) --constraint requirements.lock '.[server]'
	.venv-compiled/bin/farfalia version

# The lowest and the newest versions that may be installed, each in a new environment.
legs: .venv/checks
	.ci/legs

.venv/checks: pyproject.toml requirements.lock
	./farfalia version
	$(python) $(pip_install) --constraint requirements.lock --editable '.[server,dev]'
	touch $@

# Newer stubs refuse older runtimes, and these tools bring an older protobuf than users have: they stay out of .venv.
stub-tools: $(stub_tools)

$(stub_tools): | .venv/bin/python
	$(python) -m venv --clear .venv-proto
	.venv-proto/bin/python $(pip_install) $(subst tools-,tools==,$(@F))
	touch $@

.venv/bin/python:
	./farfalia version

# Any Python does: this one must not need a lock that fits.
.venv-lock/ready:
	python3 -m venv --clear .venv-lock
	.venv-lock/bin/python $(pip_install) uv
	touch $@
