# What a player or an engineer types.  Every target first makes .venv ready by itself.
KERNELS := $(shell find src -name '*.pyx' -o -name '*.pxi')
CATALOGUES := $(shell find src/cli/locale -name '*.po' 2>/dev/null)
READY := .venv/ready
.PHONY: demo play test soak bench lint wheel-test clean

demo: $(READY)
	@.venv/bin/mastaba demo loot --seats 4

play: $(READY)
	@.venv/bin/mastaba play loot --bots 3

# three workers on two cores: two mostly wait, one for networks and one for terminals
test: $(READY)
	@.venv/bin/pytest -q -n 3 --dist loadgroup

soak: $(READY)
	@.venv/bin/python -m soak

bench: $(READY)
	@.venv/bin/python -m pip install -q -e '.[bench]'
	@.venv/bin/python -m bench

lint: $(READY)
	@.venv/bin/ruff check .
	@.venv/bin/ruff format --check .
	@.venv/bin/mypy
	@PATH="$$PWD/.venv/bin:$$PATH" cython-lint src

wheel-test: $(READY)
	@tests/wheel

$(READY): bootstrap pyproject.toml setup.py $(KERNELS) $(CATALOGUES)
	@./bootstrap
	@touch $@

clean:
	rm -rf .venv build dist
