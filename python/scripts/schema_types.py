#!/usr/bin/env python3
"""Writes the modules of tlstax.documents, one for each schema, and one of what several have: python/scripts/schema_types.py
--check compares them with the schemas, writes nothing, and ends with 1 where they differ.
"""

from __future__ import annotations

import json
import keyword
import sys
import textwrap
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
SCHEMAS = ROOT / "schemas"
MODULES = ROOT / "python/src/tlstax/documents"
WIDTH = 118

Schema = dict[str, Any]

PLAIN = {"integer": "int", "number": "float", "string": "str", "boolean": "bool", "null": "None"}

HEADER = '''"""{what}

{about}

Made from {file} by python/scripts/schema_types.py: not to be edited.
"""

from __future__ import annotations

from typing import Literal, TypeAlias, TypedDict, Union
'''

COMMON = "common"


def main() -> int:
    schemas = {path: json.loads(path.read_text(encoding="utf-8")) for path in sorted(SCHEMAS.glob("*.schema.json"))}
    shared = shared_by(schemas.values())
    wanted = {module_of(path): module(path, schema, shared) for path, schema in schemas.items()}
    wanted[MODULES / f"{COMMON}.py"] = of_several(shared)
    if "--check" not in sys.argv[1:]:
        for path, text in wanted.items():
            path.write_text(text, encoding="utf-8")
        return 0
    stale = [path.name for path, text in wanted.items() if not is_text_of(path, text)]
    for name in stale:
        print(f"{name} is not what the schema says: run python/scripts/schema_types.py", file=sys.stderr)
    return 1 if stale else 0


def module_of(schema: Path) -> Path:
    """results.v1.schema.json is the module results."""
    return MODULES / f"{schema.name.split('.')[0]}.py"


def is_text_of(path: Path, text: str) -> bool:
    return path.is_file() and path.read_text(encoding="utf-8") == text


def shared_by(schemas: Iterable[Schema]) -> Schema:
    """What several schemas define alike, and what that is made of."""
    found: dict[str, list[Schema]] = {}
    for schema in schemas:
        for name, form in schema["$defs"].items():
            found.setdefault(name, []).append(form)
    alike = {name: forms[0] for name, forms in found.items() if len(forms) > 1 and forms.count(forms[0]) == len(forms)}
    # One that names what is not alike everywhere is not alike itself.
    while other := [name for name, form in alike.items() if not refers(form) <= alike.keys()]:
        for name in other:
            del alike[name]
    return alike


def refers(form: object) -> set[str]:
    """The names that a form is made of."""
    if isinstance(form, dict):
        own = {str(form["$ref"]).rsplit("/", 1)[1]} if "$ref" in form else set()
        return own.union(*map(refers, form.values()))
    return set().union(*map(refers, form)) if isinstance(form, list) else set()


def module(path: Path, schema: Schema, shared: Schema) -> str:
    what = f"Types of the document `{schema['title']}`, version {path.name.split('.')[1].removeprefix('v')}."
    about = textwrap.fill(text_of(schema), WIDTH)
    parts = [HEADER.format(what=what, about=about, file=f"schemas/{path.name}").rstrip()]
    if names := sorted(schema["$defs"].keys() & shared.keys()):
        # As itself: that is how a module says that it offers what it takes from another.
        parts[0] += f"\n\nfrom .{COMMON} import (\n" + "".join(f"    {name} as {name},\n" for name in names) + ")"
    own = {name: form for name, form in schema["$defs"].items() if name not in shared}
    return written_out(parts, {**own, schema["title"]: schema})


def of_several(shared: Schema) -> str:
    what, about = "Types that several documents have.", "Each document's module offers those that are its own, too."
    return written_out([HEADER.format(what=what, about=about, file="schemas/").rstrip()], dict(sorted(shared.items())))


def written_out(parts: list[str], forms: Schema) -> str:
    for name, form in forms.items():
        parts.extend(definition(name, form))
    return "\n\n\n".join(parts) + "\n"


def definition(name: str, form: Schema) -> Iterator[str]:
    """A class for an object, an alias for everything else; before an alias, what is inside it."""
    if "properties" in form:
        yield from record(name, form)
        return
    variants = [one for one in form.get("oneOf", []) if "properties" in one]
    names = [name + tag_of(one).title().replace("-", "") for one in variants]
    for inner, variant in zip(names, variants):
        yield from record(inner, variant)
    rest = [type_of(one) for one in form.get("oneOf", []) if one not in variants]
    # The variants stand above. A Union, and no text: `| None` is put behind it, and other modules have other names.
    kinds = names + [quoted(one) for one in (rest if variants else [type_of(form)])]
    alias = kinds[0] if not variants and is_evaluated(kinds[0]) else f"Union[{', '.join(kinds)}]"
    if len(name) + len(alias) > WIDTH - 15:
        alias = broken(alias)
    yield "\n".join([*comment(form), f"{name}: TypeAlias = {alias}"])


def tag_of(variant: Schema) -> str:
    """The constant that tells a variant from the others."""
    return next(str(one["const"]) for one in variant["properties"].values() if "const" in one)


def broken(alias: str) -> str:
    """A long Literal, one value a line."""
    if not alias.startswith("Literal["):
        return alias
    values = alias.removeprefix("Literal[").removesuffix("]").split(", ")
    return "Literal[\n" + "".join(f"    {value},\n" for value in values) + "]"


def record(name: str, form: Schema) -> Iterator[str]:
    """A TypedDict. Fields that are required are inherited where others are not: Python 3.10 has no NotRequired."""
    required = {key: one for key, one in form["properties"].items() if key in form.get("required", [])}
    optional = {key: one for key, one in form["properties"].items() if key not in required}
    bases: list[str] = []
    for suffix, fields, total in [("Required", required, True), ("Optional", optional, False)]:
        odd = {key: one for key, one in fields.items() if is_odd(key)}
        if odd:
            bases.append(f"_{name}{suffix}Names")
            yield functional(bases[-1], odd, total)
    plain = [{key: one for key, one in fields.items() if not is_odd(key)} for fields in (required, optional)]
    if plain[0] and plain[1]:
        yield written(f"_{name}Required", bases, plain[0], "", total=True)
        bases = [f"_{name}Required"]
    last = plain[1] or plain[0]
    yield written(name, bases, last, text_of(form), total=last is plain[0])


def is_odd(key: str) -> bool:
    """Whether a key cannot be written as an attribute, or would hide a type that others need."""
    return keyword.iskeyword(key) or not key.isidentifier() or key in {*PLAIN.values(), "list", "dict"}


def functional(name: str, fields: dict[str, Schema], total: bool) -> str:
    items = "".join(f'    "{key}": {quoted(type_of(one))},\n' for key, one in fields.items())
    end = "" if total else ", total=False"
    return f'{name} = TypedDict("{name}", {{\n{items}}}{end})'


def quoted(kind: str) -> str:
    """A type that is evaluated at once may not be there yet, unless it is a plain one."""
    return kind if is_evaluated(kind) else f'"{kind}"'


def is_evaluated(kind: str) -> bool:
    return kind in PLAIN.values() or kind.startswith("Literal[")


def written(name: str, bases: list[str], fields: dict[str, Schema], about: str, *, total: bool) -> str:
    head = ", ".join([*(bases or ["TypedDict"]), *([] if total else ["total=False"])])
    lines = [f"class {name}({head}):"]
    if about:
        lines += [*docstring(about), ""]
    for key, one in fields.items():
        lines += [f"    {key}: {type_of(one)}", *docstring(text_of(one))]
    return "\n".join(lines if fields or about else [*lines, "    pass"]).rstrip()


def docstring(about: str) -> list[str]:
    if not about:
        return []
    return textwrap.wrap(f'"""{about}"""', WIDTH, initial_indent="    ", subsequent_indent="    ")


def comment(form: Schema) -> list[str]:
    return textwrap.wrap(text_of(form), WIDTH, initial_indent="# ", subsequent_indent="# ")


def text_of(form: Schema) -> str:
    return " ".join(form.get("description", "").replace("\\", "\\\\").split())


def type_of(form: Schema) -> str:
    if "$ref" in form:
        return str(form["$ref"]).rsplit("/", 1)[1]
    if "const" in form:
        return f"Literal[{json.dumps(form['const'])}]"
    if "enum" in form:
        return f"Literal[{', '.join(json.dumps(one) for one in form['enum'])}]"
    if "oneOf" in form or "anyOf" in form:
        return union([type_of(one) for one in form.get("oneOf") or form["anyOf"]])
    kinds = form["type"] if isinstance(form["type"], list) else [form["type"]]
    return union([of_kind(kind, form) for kind in kinds])


def union(kinds: list[str]) -> str:
    """Literals become one, and nothing stands there twice."""
    values = [kind[len("Literal[") : -1] for kind in kinds if kind.startswith("Literal[")]
    literal = [f"Literal[{', '.join(values)}]"] if values else []
    return " | ".join(dict.fromkeys(literal + [kind for kind in kinds if not kind.startswith("Literal[")]))


def of_kind(kind: str, form: Schema) -> str:
    if kind == "array":
        # JSON has no tuples: a list of any of them is what is read.
        items = form["prefixItems"] if "prefixItems" in form else [form["items"]]
        return f"list[{union([type_of(one) for one in items])}]"
    if kind == "object":
        return f"dict[str, {type_of(form['additionalProperties'])}]"
    return PLAIN[kind]


if __name__ == "__main__":
    sys.exit(main())
