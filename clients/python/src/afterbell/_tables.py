"""Lists of rows, and their conversion to data frames. The columns are those of the API's CSV."""

from __future__ import annotations

import dataclasses
import datetime as dt
import functools
import itertools
import json
import types
from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal
from typing import (
    TYPE_CHECKING,
    Any,
    Literal,
    TypeVar,
    Union,
    get_args,
    get_origin,
    overload,
)

from ._meta import Meta
from ._model import Model, api_names, field_types

if TYPE_CHECKING:
    import pandas
    import polars

T = TypeVar("T")
Line = dict[str, Any]

_JSON = object
"""The kind of columns that hold JSON text."""


class Table:
    """Rows that can be converted to a data frame."""

    __slots__ = ()

    def to_dicts(self) -> list[Line]:
        """
        Returns a flat dictionary for each row.

        The field `eps` of the field `estimates` becomes `estimates_eps`. A row that contains a list
        of rows, such as the days of a reaction, becomes a dictionary for each of them.
        """
        columns, lines = self._lines()
        return [{name: line.get(name) for name in columns} for line in lines]

    def to_pandas(self, *, exact: bool = False) -> pandas.DataFrame:
        """
        Returns a pandas data frame, which has all columns even without rows.

        Dates are `datetime64[us]`, instants `datetime64[us, UTC]`, integers `Int64` and other
        numbers `float64`, or `Decimal` objects with `exact`. Maps are JSON text.
        """
        import pandas as pd

        dtypes = {
            str: "string",
            bool: "boolean",
            int: "Int64",
            Decimal: "object" if exact else "float64",
            dt.date: "datetime64[us]",
            dt.datetime: "datetime64[us, UTC]",
            list: "object",
            _JSON: "string",
        }
        columns, lines = self._lines()
        return pd.DataFrame(
            {
                name: pd.Series(_values(lines, name, kind), dtype=dtypes[kind])
                for name, kind in columns.items()
            }
        )

    def to_polars(self) -> polars.DataFrame:
        """
        Returns a Polars data frame, which has all columns even without rows.

        Dates are `Date`, instants `Datetime("us", "UTC")`, integers `Int64` and other numbers
        `Decimal(38, 12)`. Maps are JSON text.
        """
        import polars as pl

        dtypes: dict[type, Any] = {
            str: pl.String,
            bool: pl.Boolean,
            int: pl.Int64,
            Decimal: pl.Decimal(38, 12),
            dt.date: pl.Date,
            dt.datetime: pl.Datetime("us", "UTC"),
            list: pl.List(pl.String),
            _JSON: pl.String,
        }
        columns, lines = self._lines()
        return pl.DataFrame(
            {name: _values(lines, name, kind) for name, kind in columns.items()},
            schema={name: dtypes[kind] for name, kind in columns.items()},
        )

    def _lines(self) -> tuple[dict[str, type], list[Line]]:
        """Returns the kind of each column, and the cells of each line that are not empty."""
        raise NotImplementedError


class Rows(Table, Sequence[T]):
    """A list in a response."""

    __slots__ = ("_items", "_row_type", "meta", "next_page")

    def __init__(
        self, items: Iterable[T], row_type: type[T], meta: Meta, next_page: str | None
    ) -> None:
        self._items = tuple(items)
        self._row_type = row_type
        self.meta = meta
        """The headers of the response."""
        self.next_page = next_page
        """Path of the next page; None on the last one. Pass the rows to `Client.pages` instead."""

    @property
    def row_type(self) -> type[T]:
        return self._row_type

    @overload
    def __getitem__(self, index: int) -> T: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[T]: ...
    def __getitem__(self, index: int | slice) -> T | Sequence[T]:
        return self._items[index]

    def __len__(self) -> int:
        return len(self._items)

    def __repr__(self) -> str:
        return f"<Rows: {len(self)} {self._row_type.__name__}>"

    def _lines(self) -> tuple[dict[str, type], list[Line]]:
        return _lines_of(self._row_type, self._items)


class TableModel(Table, Model):
    """An object with lists of rows. `bucket` is the column with the name of the list."""

    __slots__ = ()

    def _lines(self) -> tuple[dict[str, type], list[Line]]:
        return _lines_of(type(self), [self])


@dataclasses.dataclass(frozen=True, slots=True)
class _Field:
    name: str
    column: str
    kind: type
    """The kind of the column, or the model whose columns take its place."""
    is_list: bool
    is_optional: bool


def _lines_of(item_type: Any, items: Iterable[Any]) -> tuple[dict[str, type], list[Line]]:
    row_type = item_type
    columns: dict[str, type] = {}
    lines: list[Line] = []
    if issubclass(item_type, TableModel):
        buckets = [field for field in _fields_of(item_type) if field.is_list]
        row_type, columns = buckets[0].kind, {"bucket": str}
        for item, bucket in itertools.product(items, buckets):
            for row in getattr(item, bucket.name):
                lines += [{"bucket": bucket.name} | line for line in _expand(row)]
    else:
        lines = [line for item in items for line in _expand(item)]
    columns |= _columns_of(row_type)
    # Fields that a request includes on demand have a column if there is a value.
    used = {name for line in lines for name in line}
    unused = {it.column for it in _fields_of(row_type) if it.is_optional} - used
    return {name: kind for name, kind in columns.items() if name not in unused}, lines


def _columns_of(model: Any, prefix: str = "") -> dict[str, type]:
    columns: dict[str, type] = {}
    for field in _fields_of(model):
        if issubclass(field.kind, Model):
            columns |= _columns_of(field.kind, f"{prefix}{field.column}_")
        else:
            columns[prefix + field.column] = field.kind
    return columns


def _expand(row: Any, prefix: str = "") -> list[Line]:
    """Returns the line of a row, or a line for each row in its list of rows."""
    line: Line = {}
    nested: list[Line] = []
    model: Any = type(row)
    for field in _fields_of(model):
        value = getattr(row, field.name)
        column = prefix + field.column
        if value is None:
            continue
        if not issubclass(field.kind, Model):
            line[column] = value
        elif field.is_list:
            nested = [inner for item in value for inner in _expand(item, f"{column}_")]
        else:
            line |= _expand(value, f"{column}_")[0]
    return [line | inner for inner in nested] or [line]


@functools.cache
def _fields_of(model: Any) -> list[_Field]:
    result: list[_Field] = []
    defaults = {field.name: field.default for field in dataclasses.fields(model)}
    for name, annotation in field_types(model).items():
        kind, is_list = _kind_of(annotation)
        # A line can be repeated for one list of rows. A second list is a column with JSON.
        if is_list and not issubclass(model, TableModel) and any(it.is_list for it in result):
            kind, is_list = _JSON, False
        is_optional = defaults[name] is None
        result.append(_Field(name, name.rstrip("_"), kind, is_list, is_optional))
    return result


def _kind_of(annotation: Any) -> tuple[type, bool]:
    """Returns the kind of a column. The second value is true for a list of rows."""
    if get_origin(annotation) in (Union, types.UnionType):
        options = [option for option in get_args(annotation) if option is not type(None)]
        return _kind_of(options[0]) if len(options) == 1 else (_JSON, False)
    if get_origin(annotation) is Literal:
        return type(get_args(annotation)[0]), False
    if get_origin(annotation) is Sequence:
        kind, _ = _kind_of(get_args(annotation)[0])
        return (list if kind is str else kind), issubclass(kind, Model)
    # Python 3.10 regards `Mapping[str, int]` as a type.
    is_plain = isinstance(annotation, type) and get_origin(annotation) is None
    return (annotation if is_plain else _JSON), False


def _values(lines: list[Line], name: str, kind: type) -> Iterator[Any]:
    for line in lines:
        value = line.get(name)
        if kind is _JSON and value is not None:
            value = _json_text(value)
        yield list(value) if kind is list and value is not None else value


def _json_text(value: Any) -> str:
    return json.dumps(value, default=_json_ready, ensure_ascii=False)


def _json_ready(value: Any) -> Any:
    if isinstance(value, Decimal):
        return float(value)
    if isinstance(value, dt.date):
        return value.isoformat()
    model: Any = type(value)
    return {key: getattr(value, name) for name, key in api_names(model).items()}
