"""A variant by the words of a command line: its template, some knobs, perhaps operation and part."""

from collections.abc import Mapping, Sequence

from tightfit.errors import UsageError
from tightfit.names import unknown
from tightfit.primitives import load_primitive, primitive_ids
from tightfit.records import Variant
from tightfit.targets import load_target

from .declaration import load_space
from .relations import Value, walk
from .space import TemplateSpec

_FORM = "TARGET/PRIMITIVE/TEMPLATE, as in the folder of templates"
_FILES = (".j2", ".yaml", ".md")


def template_named(name: str, part: str | None = None) -> TemplateSpec:
    """The template of `TARGET/PRIMITIVE/TEMPLATE` for a part, the target's default one where it is None.

    The path of its folder, or of a file in it, will do.

    Raises
    ------
    UsageError
        There is none; names the nearest.
    """
    words = [word for word in name.replace("\\", "/").split("/") if word not in ("", ".")]
    words = words[len(words) - words[::-1].index("templates") :] if "templates" in words else words
    if len(words) == 4 and words[3].endswith(_FILES):
        words.pop()
    if len(words) != 3:
        raise UsageError(f"template {name!r}: expected {_FORM}")
    target, primitive, template = words
    place = load_target(target).part(part)
    family = [one for one in primitive_ids() if load_primitive(one).templates == primitive]
    if family and primitive not in primitive_ids():
        ways = ", ".join(f"{target}/{one}/{template}" for one in family)
        raise UsageError(f"template {name!r}: {primitive} is a family, say for which of it: {ways}")
    templates = load_space(target, primitive, part=place.name).templates
    if template not in templates:
        raise unknown("template", template, templates)
    return templates[template]


def variant_named(
    template: str, knobs: Mapping[str, Value], operation: str | None = None, part: str | None = None
) -> Variant:
    """The variant with these knobs, the others at the first values that go with them.

    Parameters
    ----------
    operation : the first of the template where it is None.
    part : the target's default one where it is None.

    Raises
    ------
    UsageError
        A name or a value is unknown, or no variant has these values together.
    """
    spec = template_named(template, part)
    operation = operation or spec.operations[0]
    if operation not in spec.operations:
        raise unknown("operation", operation, spec.operations, f"{spec.primitive} {spec.name}")
    place = load_target(spec.target).part(part)
    values = _completed(spec, operation, {name: _value(spec, name, value) for name, value in knobs.items()})
    return Variant(spec.target, place.name, spec.primitive, operation, spec.name, values)


def knobs_of(words: Sequence[str]) -> dict[str, str]:
    """The values of words `knob=value`."""
    found = {}
    for word in words:
        name, equals, value = word.partition("=")
        if not equals:
            raise UsageError(f"{word!r}: expected knob=value")
        if name in found:
            raise UsageError(f"knob {name!r}: expected one value, found {found[name]!r} and {value!r}")
        found[name] = value
    return found


def _value(spec: TemplateSpec, name: str, value: Value) -> Value:
    if name not in spec.knobs:
        if not spec.knobs:
            raise UsageError(f"no knob {name!r}: template {spec.name} has none")
        raise unknown("knob", name, spec.knobs)
    values = spec.knobs[name].values
    match = next((known for known in values if str(known) == str(value)), None)
    if match is None:
        raise unknown("value", str(value), [str(known) for known in values], f"knob {name}")
    return match


def _completed(spec: TemplateSpec, operation: str, fixed: Mapping[str, Value]) -> dict[str, Value]:
    """The first assignment of the template, in the order of its values, that has the values of `fixed`."""
    domains = {name: (value,) for name, value in fixed.items()}
    domains |= {name: values for name, values in spec.domains.items() if name not in fixed}
    found = next(walk(domains, spec.relations(operation)), None)
    if found is None:
        rules = [rule for rule in spec.relations(operation) if set(rule.scope) <= fixed.keys()]
        broken = next((rule.text for rule in rules if not rule.holds(fixed)), None)
        given = " ".join(f"{name}={value}" for name, value in fixed.items())
        raise UsageError(f"{given}: no variant has these together" + (f": {broken}" if broken else ""))
    return {name: found[name] for name in spec.knobs}
