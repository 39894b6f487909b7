"""Runs the Python code of the documents and of the notebook against a running service."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from afterbell import Client

ROOT = Path(__file__).parents[3]
DOCUMENTS = ["clients/python/README.md", "docs/python.md", "docs/parquet.md"]
NOTEBOOKS = [str(path.relative_to(ROOT)) for path in ROOT.glob("examples/notebooks/*.ipynb")]


@pytest.mark.parametrize("name", DOCUMENTS)
def test_the_code_samples_run(
    name: str,
    service: tuple[str, str],
    client: Client,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    url, key = service
    first, second, *_ = sorted({row.symbol for row in client.calendar_dividends()})
    text = (ROOT / name).read_text()
    samples = re.findall(r"(?<!-->\n\n)^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    assert len(samples) > 1
    names: dict[str, object] = {"api_key": key}
    for sample in samples:
        code = sample.replace("http://127.0.0.1:8080", url)
        code = code.replace('"NRTH"', repr(first)).replace('"VLY"', repr(second))
        exec(compile(code, name, "exec"), names)


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_the_cells_of_the_notebook_run(
    name: str, service: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SERVICE_URL", service[0])
    monkeypatch.setenv("SERVICE_API_KEY", service[1])
    notebook = json.loads((ROOT / name).read_text())
    names: dict[str, object] = {}
    for number, cell in enumerate(notebook["cells"], 1):
        if cell["cell_type"] == "code":
            assert cell["outputs"] == []
            exec(compile("".join(cell["source"]), f"{name}, cell {number}", "exec"), names)


def test_there_is_a_notebook() -> None:
    assert NOTEBOOKS != []
