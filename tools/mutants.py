"""Mutation testing: small changes of a package's code, each of which its tests have to notice.

    python tools/mutants.py ops [--count 40] [--seed 1] [--tests tests/ops]

Samples changes that cosmic-ray can make in `ovgather/ROOM`, makes each in a copy of the working tree, and runs the
tests of the package until one fails. It prints each change that no test notices, and the share of those that one does.
"""

from __future__ import annotations

import argparse
import ast
import difflib
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parent.parent
TIMEOUT = 600
"""Seconds that the tests may take with one change. A change that never ends counts as noticed."""

NOT_SAMPLED = ("VariableInserter", "VariableReplacer", "RemoveDecorator")
"""Operators that need arguments, or whose changes are mostly of caches, which change no result."""


class Mutant(NamedTuple):
    path: Path
    operator: str
    code: str


def operators() -> dict[str, Any]:
    """The operators of cosmic-ray by name."""
    try:
        from cosmic_ray import plugins
    except ImportError:
        sys.exit("cosmic-ray is not installed: make mutants installs it")
    return {
        name: plugins.get_operator(name)()
        for name in plugins.operator_names()
        if not any(word in name for word in NOT_SAMPLED)
    }


class Behaviour(ast.NodeTransformer):
    """Drops annotations and sizes of caches, and writes alike what gives the same result here."""

    def visit_arg(self, node: ast.arg) -> ast.AST:
        node.annotation = None
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.returns = None
        node.decorator_list = [
            each for each in node.decorator_list if "cache" not in ast.unparse(each)
        ]
        return self.generic_visit(node)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        node.annotation = ast.Constant(None)
        return self.generic_visit(node)

    def visit_If(self, node: ast.If) -> ast.AST:
        if ast.unparse(node.test) == "TYPE_CHECKING":
            node.body = [ast.Pass()]
        return self.generic_visit(node)

    def visit_Is(self, node: ast.Is) -> ast.AST:
        """Most operands of `is` are None, members of an enumeration or interned texts."""
        return ast.Eq()

    def visit_IsNot(self, node: ast.IsNot) -> ast.AST:
        return ast.NotEq()

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        """Flags such as `re.ASCII` have no bit in common: `|`, `^` and `+` join them alike."""
        self.generic_visit(node)
        names = (
            ast.unparse(side).rpartition(".")[2] for side in (node.left, node.right)
        )
        if isinstance(node.op, (ast.BitXor, ast.Add)) and all(map(str.isupper, names)):
            node.op = ast.BitOr()
        return node


def behaviour(code: str) -> str:
    """The code without what changes no result."""
    return ast.dump(Behaviour().visit(ast.parse(code)))


def is_change(code: str, changed: str) -> bool:
    """Whether the changed code is Python, and does something else."""
    try:
        return behaviour(changed) != behaviour(code)
    except SyntaxError:
        return False


def mutants(folder: Path, count: int, seed: int) -> Iterator[Mutant]:
    """`count` changes of the modules of `folder`, each of another place drawn at random."""
    from cosmic_ray.mutating import mutate_code

    generator = random.Random(seed)
    modules = sorted(folder.rglob("*.py"))
    weights = [path.stat().st_size for path in modules]
    available = sorted(operators().items())
    drawn: set[tuple[Path, str]] = set()
    for _ in range(200 * count):
        if len(drawn) == count:
            return
        (path,) = generator.choices(modules, weights)
        name, operator = generator.choice(available)
        code = path.read_text("utf-8")
        occurrence = generator.randrange(1 + code.count("\n") // 20)
        changed = mutate_code(code, operator, occurrence)
        if changed is None or (path, changed) in drawn or not is_change(code, changed):
            continue
        drawn.add((path, changed))
        yield Mutant(path, name, changed)


def is_noticed(tree: Path, tests: list[str]) -> bool:
    """Whether a test of `tests` fails in the copy of the working tree."""
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-x",
        "-q",
        "-p",
        "no:cacheprovider",
        *tests,
    ]
    try:
        run = subprocess.run(
            command, cwd=tree, capture_output=True, timeout=TIMEOUT, check=False
        )
    except subprocess.TimeoutExpired:
        return True
    return run.returncode != 0


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument(
        "room", help="a package of ovgather, such as ops or validation/rules"
    )
    parser.add_argument("--count", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--tests", nargs="*", help="the tests to run; those of the package"
    )
    arguments = parser.parse_args()
    folder = ROOT / "ovgather" / arguments.room
    tests = arguments.tests or [f"tests/{arguments.room}"]
    with tempfile.TemporaryDirectory() as temporary:
        tree = Path(temporary) / "ovgather"
        shutil.copytree(
            ROOT, tree, ignore=shutil.ignore_patterns(".git", ".venv*", "build")
        )
        if is_noticed(tree, tests):
            sys.exit(f"{' '.join(tests)}: a test fails before any change")
        noticed = total = 0
        for mutant in mutants(folder, arguments.count, arguments.seed):
            place = tree / mutant.path.relative_to(ROOT)
            code = place.read_text("utf-8")
            place.write_text(mutant.code, "utf-8")
            total += 1
            if is_noticed(tree, tests):
                noticed += 1
            else:
                lines = difflib.unified_diff(
                    code.splitlines(), mutant.code.splitlines(), lineterm="", n=1
                )
                name = mutant.path.relative_to(ROOT)
                print(
                    f"\n{name}: {mutant.operator}: no test notices",
                    *list(lines)[2:],
                    sep="\n",
                )
            place.write_text(code, "utf-8")
            print(
                f"{noticed} of {total} noticed", end="\r", flush=True, file=sys.stderr
            )
    print(
        f"\n{arguments.room}: {noticed} of {total} changes noticed, {noticed / total:.0%}"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
