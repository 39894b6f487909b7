"""Asks DuckDB about a folder of earnings files, and prints the seconds of each question as JSON."""

from __future__ import annotations

import json
import sys
import time

import duckdb

QUESTIONS = {
    "DuckDB surprise per quarter s": """
        select fiscalYear, fiscalQuarter, count(*), avg(epsSurprisePercent)
          from '{folder}/*.parquet' where known_to is null and eps is not null
         group by all order by all""",
    "DuckDB consensus before each report s": """
        select r.id, r.eps, v.epsEstimate from '{folder}/*.parquet' r
          join '{folder}/*.parquet' v on v.id = r.id
           and v.known_from <= r.reportedAt - interval 1 day
           and (v.known_to is null or v.known_to > r.reportedAt - interval 1 day)
         where r.known_to is null and r.eps is not null""",
    "DuckDB one company s": """
        select * from '{folder}/*.parquet' where symbol = 'S37' and known_to is null""",
}

duckdb.execute("set timezone = 'UTC'")
seconds = {}
for name, question in QUESTIONS.items():
    began = time.perf_counter()
    rows = duckdb.execute(question.format(folder=sys.argv[1])).fetchall()
    assert rows != []
    seconds[name] = round(time.perf_counter() - began, 3)
print(json.dumps(seconds))
