"""Values of our own inside kernels: what they are to the machine, and the operators and functions that work on them.

An `emit` writes machine code for its values. A type stands in a module, by whose name kept code finds it again.
"""

from __future__ import annotations

from typing import Any

from numba.core.datamodel import models
from numba.core.imputils import lower_builtin
from numba.core.typing import templates
from numba.extending import intrinsic, register_model

# numba is untyped, or its types leave out what is used here.
_primitive: Any = models.PrimitiveModel
_templates: Any = templates
_lower: Any = lower_builtin
_intrinsic: Any = intrinsic


def represent(kind: type, machine: Any) -> None:
    """Say what the values of a type are to the machine."""
    register_model(kind)(lambda manager, value: _primitive(manager, value, machine))


def operate(sign: Any, result: Any, given: tuple[Any, ...], emit: Any) -> None:
    """Make an operator work on such values."""
    operation = type("Operation", (_templates.ConcreteTemplate,), {"cases": [_templates.signature(result, *given)]})
    _templates.infer_global(sign)(operation)
    _lower(sign, *given)(lambda _context, builder, _signature, values: emit(builder, *values))


def of_one(result: Any, given: Any, emit: Any) -> Any:
    """A function of one value, in machine code alone."""

    def function(_context: Any, value: Any) -> Any:
        if value != given:
            return None
        return result(given), lambda _context, builder, _signature, values: emit(builder, values[0])

    return _intrinsic(function)
