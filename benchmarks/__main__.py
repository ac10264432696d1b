"""Run the benchmarks: `python -m benchmarks [name ...]`; each module here has a `run() -> bool`."""

import importlib
import pkgutil
import sys

import benchmarks


def main(chosen: list[str]) -> int:
    """Run the named benchmarks, or all; 1 if a target was missed, 2 for an unknown name."""
    names = sorted(
        module.name
        for module in pkgutil.iter_modules(benchmarks.__path__)
        if not module.name.startswith("_")
    )
    unknown = sorted(set(chosen) - set(names))
    if unknown:
        print(f"no benchmark {', '.join(unknown)}; there are: {', '.join(names)}", file=sys.stderr)
        return 2
    missed = []
    for name in chosen or names:
        module = importlib.import_module(f"benchmarks.{name}")
        print(f"{name}: {(module.__doc__ or '').splitlines()[0]}")
        if not module.run():
            missed.append(name)
    if missed:
        print(f"targets missed in: {', '.join(missed)}", file=sys.stderr)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
