# Five verbs. The first use of any of them makes .venv, as ./farfalia does.

python := .venv/bin/python
stubs := clients/python
protos := $(wildcard proto/farfalia/v1/*.proto)

.PHONY: proto lint type test check

# Generated code, the list of the contract's numbers, and the copy that a bot for Node.js carries.
proto: .venv/checks
	$(python) -m grpc_tools.protoc -I proto --python_out=$(stubs) --pyi_out=$(stubs) --grpc_python_out=$(stubs) $(protos)
	$(python) tests/test_contract.py
	cp $(addprefix proto/farfalia/v1/,play.proto cards.proto record.proto) clients/node/proto/farfalia/v1

lint: .venv/checks
	$(python) -m ruff check .
	$(python) -m ruff format --check .
	.venv/bin/lint-imports

type: .venv/checks
	$(python) -m mypy

test: .venv/checks
	$(python) -m pytest

check: lint type test

.venv/checks: pyproject.toml
	./farfalia version
	PIP_DISABLE_PIP_VERSION_CHECK=1 $(python) -m pip install --quiet --no-input --editable '.[server,dev]'
	touch $@
