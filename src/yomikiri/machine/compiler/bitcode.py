"""Translation of kernels to LLVM bitcode by numba.

An *entry* is a kernel that Python calls. The entries of some modules, with all kernels that they call, become one LLVM
module. By itself, numba would compile each kernel separately, with wrappers for calls from Python. Here numba only
infers types and translates (`_Translated`). The code is optimised once, when everything is in one module.

numba has its own form of results and errors. So each entry gets two more functions:

- A Python function that `_way_in` generates. It reads the block of arguments, calls the kernel and writes the results.
- A function in a few lines of LLVM (`_PLAIN`) that calls the Python function after its translation. Its interface is
  the plain `int32 symbol(const int64 *given, int64 *found)`.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from itertools import count
from pathlib import Path
from types import CellType, FunctionType
from typing import Any

import llvmlite.binding as llvm
import numba
import numpy as np
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler

from yomikiri.machine.compiler.intrinsics import CHECKED, INTRINSICS, array_at, floats
from yomikiri.machine.kernel import Entry
from yomikiri.machine.signature import Array, Fields, Kind, Number, Signature, signature_of

_serial = count()
_UNRESOLVED = ".numba.unresolved$"
# numba and llvmlite have no type annotations, or incomplete ones.
_numba: Any = numba
_llvm: Any = llvm
_library: Any = JITCodeLibrary
_compiler: Any = Compiler
_WORD: Any = _numba.types.int64

_OPTIONS: dict[str, Any] = {
    # Division by zero raises no exception: it returns 0 for integers, and infinity or NaN for floats.
    "error_model": "numpy",
    # Kernels own no memory, so references to arrays need not be counted.
    "_nrt": False,
    "no_cpython_wrapper": True,
    "no_cfunc_wrapper": True,
}


def entries_of(modules: tuple[str, ...]) -> list[Entry]:
    """Return the entries (kernels that Python calls) defined in some modules, ordered by name."""
    found: dict[str, Entry] = {}
    for name in modules:
        for value in vars(import_module(name)).values():
            if isinstance(value, Entry) and value.function.__module__ == name:
                found[value.symbol] = value
    return [found[symbol] for symbol in sorted(found)]


class Translation:
    """Kernels translated together, each once per combination of argument types.

    With `debug`, the machine code checks every index. With `lines`, it contains line numbers, which doubles the
    translation time.
    """

    def __init__(self, *, debug: bool = False, lines: bool = False) -> None:
        self._made: dict[FunctionType, Any] = {}
        self._declaring: set[str] = set()
        self._debug, self._lines = debug, lines

    def module(self, entries: list[Entry]) -> bytes:
        """Return the bitcode of kernels that Python calls, each under its symbol, with everything they call."""
        whole = _llvm.parse_assembly("")
        for each in entries:
            whole.link_in(self._entry(each))
        # A kernel may call a second kernel that is still being translated. It then reads the address of that kernel
        # from a variable, which numba's own linker would set. If the variable becomes a constant, the call becomes a
        # direct one.
        for name in [each.name for each in whole.global_variables if each.name.startswith(_UNRESOLVED)]:
            function = name.removeprefix(_UNRESOLVED)
            text = f'declare void @"{function}"()\n@"{name}" = constant ptr @"{function}"'
            whole.link_in(_llvm.parse_assembly(text))
        symbols, inlined = {each.symbol for each in entries}, self._inlined()
        for function in whole.functions:
            if not function.is_declaration and function.name not in symbols:
                function.linkage = "internal"
                if function.name in inlined:
                    function.add_function_attribute("alwaysinline")
        for variable in whole.global_variables:
            # Hide these variables from other modules. They are numba's environments, which are not used, and the
            # addresses of kernels.
            if variable.linkage == _llvm.Linkage.common or variable.name.startswith(_UNRESOLVED):
                variable.linkage = "internal"
        bitcode: bytes = whole.as_bitcode()
        return bitcode

    def _inlined(self) -> set[str]:
        """Return the names of the functions that are copied into their callers."""
        made = (made for function, made in self._made.items() if getattr(function, "is_inlined", False))
        return {overload.fndesc.llvm_func_name for each in made for overload in each.overloads.values()}

    def sources(self) -> set[Path]:
        """Return the files that contain the translated functions, constants they use, or the types of arguments."""
        codes = [function.__code__ for function in self._made if Path(function.__code__.co_filename).is_file()]
        files = {Path(code.co_filename) for code in codes}
        named = {_imports(Path(code.co_filename)).get(name) for code in codes for name in _names_in(code)}
        modules = [sys.modules[module] for module in {*named, *self._declaring} if module in sys.modules]
        return files | {Path(str(module.__file__)) for module in modules}

    def _entry(self, entry: Entry) -> Any:
        signature = signature_of(entry.function)
        self._declaring.add(entry.function.__module__)
        self._declaring.update(kind.type.__module__ for kind in signature.kinds() if isinstance(kind, Fields))
        way_in = self._kernel(_way_in(self._kernel(_compiled(entry)), signature, entry.symbol))
        way_in.compile((_WORD, _WORD))
        [made] = way_in.overloads.values()
        module = made.library._final_module.clone()
        inner, outer = made.fndesc.llvm_func_name, entry.symbol
        module.link_in(_llvm.parse_assembly(_PLAIN.format(inner=inner, outer=outer)))
        return module

    def _kernel(self, function: FunctionType) -> Any:
        """Return numba's dispatcher for a kernel.

        In its code, each kernel that it calls is replaced by a dispatcher too, and each function in `INTRINSICS` by its
        implementation.
        """
        if function in self._made:
            return self._made[function]
        names = dict(function.__globals__)
        held = tuple(CellType(self._as_called(cell.cell_contents)) for cell in function.__closure__ or ())
        renamed = FunctionType(function.__code__, names, function.__name__, function.__defaults__, held)
        renamed.__module__, renamed.__qualname__ = function.__module__, function.__qualname__
        # Generated functions have no line numbers.
        lines = self._lines and Path(function.__code__.co_filename).is_file()
        options = {**_OPTIONS, "boundscheck": self._debug, "debug": lines}
        made = self._made[function] = _numba.njit(pipeline_class=_Translated, **options)(renamed)
        fold = made._compiler.fold_argument_types

        def fold_argument_types(types: Any, named: Any) -> Any:
            # Do not compile a separate version for a constant argument.
            signature, given = fold(types, named)
            return signature, tuple(_numba.types.unliteral(each) for each in given)

        made._compiler.fold_argument_types = fold_argument_types
        for name in _names_in(function.__code__):
            if name in names:
                names[name] = self._as_called(names[name])
        return made

    def _as_called(self, value: Any) -> Any:
        """Return the object that replaces a global value in translated code.

        For a kernel this is numba's dispatcher, for a function in `INTRINSICS` its implementation, otherwise the value
        itself.
        """
        if isinstance(value, FunctionType) and value in INTRINSICS:
            return self._kernel(CHECKED[value]) if self._debug and value in CHECKED else INTRINSICS[value]
        return self._kernel(_plain(value)) if getattr(value, "is_kernel", False) else value


# A wrapper of the function that numba has made. The function writes a result and an exception to its first two
# arguments. Only debug builds raise exceptions.
_PLAIN = """
declare i32 @"{inner}"(i8**, i8**, i64, i64)
define i32 @"{outer}"(i8* %given, i8* %found) {{
  %gives = alloca i8*
  %raises = alloca i8*
  %first = ptrtoint i8* %given to i64
  %second = ptrtoint i8* %found to i64
  %status = call i32 @"{inner}"(i8** %gives, i8** %raises, i64 %first, i64 %second)
  ret i32 %status
}}
"""


def _plain(kernel: Any) -> FunctionType:
    function: Any = kernel.function if isinstance(kernel, Entry) else kernel
    return function  # type: ignore[no-any-return]


def _compiled(entry: Entry) -> FunctionType:
    """Return the Python function that is compiled for an entry, a kernel that Python calls.

    It is the function of the entry itself, or of the kernel that `entry.place` names.
    """
    if not entry.place:
        return _plain(entry)
    module, _, name = entry.place.partition(":")
    return _plain(getattr(import_module(module), name))


def _names_in(code: Any) -> Iterator[str]:
    """Yield the global names that the code of a function, and of the functions inside it, uses."""
    yield from code.co_names
    for inner in code.co_consts:
        if isinstance(inner, type(code)):
            yield from _names_in(inner)


def _way_in(kernel: Any, signature: Signature, symbol: str) -> FunctionType:
    """Generate a Python function that calls a kernel.

    Its parameters are two addresses: of the block of words with the arguments, and of the block for the results.
    """
    names: dict[str, Any] = {"np": np, "words": array_at(np.dtype(np.int64), 1), "floats": floats, "kernel": kernel}
    at = count()
    given = ", ".join(_read(kind, at, names) for kind in signature.parameters)
    size = max(1, next(at))
    lines = [f"def {symbol}(given_at, found_at):", f"    given = words(given_at, ({size},))"]
    lines.append(f"    result = kernel({given})")
    if signature.results:
        lines.append(f"    found = words(found_at, ({len(signature.results)},))")
    for i, number in enumerate(signature.results):
        value = f"result[{i}]" if signature.returns_tuple else "result"
        word = f"floats(found)[{i}]" if number.letter == "d" else f"found[{i}]"
        lines.append(f"    {word} = {value}" if number.letter != "Q" else f"    {word} = np.int64({value})")
    lines.append("    return np.int64(0)")
    exec("\n".join(lines), names)
    function: FunctionType = names[symbol]
    return function


def _read(kind: Kind, at: Iterator[int], names: dict[str, Any]) -> str:
    """Return the Python expression that reads an argument from the block `given`.

    `at` yields the indices of the argument's words. `names` maps the names in the expression to objects. Objects that
    the expression needs, such as the type of a named tuple, are added to `names`.
    """
    if isinstance(kind, Fields):
        name = f"{kind.type.__name__}{len(names)}"
        names[name] = kind.type
        return f"{name}({', '.join(_read(field, at, names) for field in kind.kinds)})"
    if isinstance(kind, Array):
        name = f"array{len(names)}"
        names[name] = array_at(kind.dtype, kind.sides)
        first, sides = next(at), [f"given[{next(at)}]" for _ in range(kind.sides)]
        return f"{name}(given[{first}], ({', '.join(sides)},))"
    return _number(kind, next(at))


def _number(kind: Number, at: int) -> str:
    if kind.letter == "d":
        return f"floats(given)[{at}]"
    if kind.type is bool:
        return f"(given[{at}] != 0)"
    return f"np.{kind.type.__name__}(given[{at}])" if kind.type in (np.uint64, np.int8) else f"given[{at}]"


@cache
def _imports(path: Path) -> dict[str, str]:
    """Return the source module of each name that a file imports with `from ... import`."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    imports = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    return {alias.asname or alias.name: str(node.module) for node in imports for alias in node.names}


class _Code(_library):  # type: ignore[misc]
    """The bitcode of a function, which numba must not compile to machine code."""

    def _optimize_functions(self, _module: Any) -> None:
        pass

    def _optimize_final_module(self) -> None:
        pass

    def _finalize_final_module(self) -> None:
        self._finalized = True


class _Translated(_compiler):  # type: ignore[misc]
    """A compiler of numba that only translates a function to bitcode, and does not make machine code for it."""

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        state = self.state
        code: Any = _Code
        state.library = code(state.targetctx.codegen(), f"kernels{next(_serial)}")
        state.targetctx.get_executable = lambda library, *_: library.finalize() or [].append
