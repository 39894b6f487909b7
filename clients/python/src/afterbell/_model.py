"""The base of all models, and the decoder that builds them from JSON."""

from __future__ import annotations

import datetime as dt
import functools
import types
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from decimal import Decimal
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from ._meta import Meta

Decoder = Callable[[Any], Any]


class Model:
    """An object of the API. Models are immutable, and unknown values are `None`."""

    __slots__ = ("_meta",)
    _meta: Meta

    @property
    def meta(self) -> Meta | None:
        """The headers of the response; None for an object within another one."""
        return getattr(self, "_meta", None)


@functools.cache
def decoder_of(kind: Any) -> Decoder:
    """Returns the function that converts a JSON value to the annotated type."""
    origin, arguments = get_origin(kind), get_args(kind)
    if origin is Sequence:
        item = decoder_of(arguments[0])
        return lambda values: tuple(item(value) for value in values)
    if origin is Mapping:
        member = decoder_of(arguments[1])
        return lambda members: {name: member(value) for name, value in members.items()}
    if origin in (Union, types.UnionType):
        return _union_decoder(arguments)
    if isinstance(kind, type) and issubclass(kind, Model):
        return _model_decoder(kind)
    return _SCALARS.get(kind, _unchanged)


def field_types(model: Any) -> dict[str, Any]:
    """Returns the annotated type of each field, in order."""
    hints = get_type_hints(model)
    return {field.name: hints[field.name] for field in fields(model)}


@functools.cache
def api_names(model: Any) -> dict[str, str]:
    """Returns the name of each field in the API: `epsEstimate` for `eps_estimate`."""
    names = {field.name: field.metadata.get("name") for field in fields(model)}
    return {name: given or _camel_case(name) for name, given in names.items()}


def _model_decoder(model: Any) -> Decoder:
    names = api_names(model)
    members = [(name, names[name], decoder_of(kind)) for name, kind in field_types(model).items()]

    def decode(value: Any) -> Any:
        # A field that an older service does not send is None, like any unknown value.
        present = {name: value.get(key) for name, key, _ in members}
        return model(
            **{
                name: None if present[name] is None else decode_member(present[name])
                for name, _, decode_member in members
            }
        )

    return decode


def _union_decoder(options: tuple[Any, ...]) -> Decoder:
    """Chooses among the options by the type of the JSON value."""
    decoders: dict[type, Decoder] = {}
    for option in options:
        for json_type in _json_types(option):
            decoders.setdefault(json_type, decoder_of(option))
    return lambda value: decoders.get(type(value), _unchanged)(value)


def _json_types(kind: Any) -> tuple[type, ...]:
    """Returns the types of the JSON values that can become this type."""
    origin = get_origin(kind)
    if origin is Literal:
        return tuple({type(value) for value in get_args(kind)})
    if origin is Sequence:
        return (list,)
    if origin is Mapping or (isinstance(kind, type) and issubclass(kind, Model)):
        return (dict,)
    if kind in (dt.date, dt.datetime):
        return (str,)
    return (Decimal, int) if kind in (Decimal, int) else (kind,)


def _camel_case(name: str) -> str:
    first, *others = name.rstrip("_").split("_")
    return first + "".join(word[:1].upper() + word[1:] for word in others)


def _instant(text: str) -> dt.datetime:
    # Python 3.10 does not parse `Z`.
    return dt.datetime.fromisoformat(text.replace("Z", "+00:00"))


def _unchanged(value: Any) -> Any:
    return value


_SCALARS: dict[Any, Decoder] = {
    dt.date: dt.date.fromisoformat,
    dt.datetime: _instant,
    Decimal: Decimal,
    int: int,
}
