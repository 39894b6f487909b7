import { expect, test } from 'vitest';
import type { Description, Operation, Parameter } from './gen/described.ts';
import { printClients } from './gen/python-client.ts';
import { printModels } from './gen/python-models.ts';
import { isDerivable, pythonName, pythonType } from './gen/python-types.ts';
import type { JsonSchema } from './gen/schema-type.ts';

function query(name: string, schema: JsonSchema, more: Partial<Parameter> = {}): Parameter {
  return { name, in: 'query', schema, description: `The ${name}.`, ...more };
}

function describeEndpoint(response: JsonSchema, parameters: readonly Parameter[]): Description {
  const operation = {
    operationId: 'analyst-days',
    summary: 'Analyst days',
    description: 'Days on which a company meets analysts.',
    tags: ['earnings'],
    parameters,
    responses: { '200': { content: { 'application/json': { schema: response } } } },
  };
  const day: JsonSchema = {
    type: 'object',
    required: ['date', 'from'],
    properties: {
      date: { type: 'string', format: 'date', description: 'The day.' },
      from: { anyOf: [{ type: 'number', description: 'Old value.' }, { type: 'null' }] },
      rooms: { type: 'array', items: { enum: ['a', 'b'] } },
    },
  };
  return {
    paths: { '/v1/analyst-days/{symbol}': { get: operation } },
    components: { schemas: { AnalystDay: day } },
  };
}

const DAY = { $ref: '#/components/schemas/AnalystDay' };
const SYMBOL = query('symbol', { type: 'string' }, { in: 'path', required: true });
const DATE = query('date', { anyOf: [{ type: 'string', format: 'date' }] });

test('prints a method for a new endpoint in both Python clients', () => {
  const text = printClients(
    describeEndpoint({ type: 'array', items: DAY }, [
      SYMBOL,
      query('symbols', { type: 'string', description: 'Comma-separated list.' }),
      query('asOf', { type: 'string', format: 'date-time' }),
    ]),
  );
  const [sync = '', async = ''] = text.split('class AsyncClient');
  expect(sync).toContain(`    def analyst_days(
        self,
        symbol: str,
        *,
        symbols: Sequence[str] | str | None = None,
        as_of: dt.datetime | str | None = None,
    ) -> Rows[AnalystDay]:
        """
        Analyst days: \`GET /v1/analyst-days/{symbol}\`.

        Days on which a company meets analysts.

        \`symbol\`: The symbol.
`);
  expect(sync).toContain(`        return self._rows(
            "/v1/analyst-days/{symbol}",
            AnalystDay,
            {
                "symbol": symbol,
                "symbols": symbols,
                "asOf": as_of,
            },
        )
`);
  expect(async).toContain('    async def analyst_days(');
  expect(async).toContain('        return await self._rows(');
});

test('prints a Python overload for one day and one for a range of days', () => {
  const response = { anyOf: [DAY, { type: 'array', items: DAY }] };
  const range = [query('from', DATE.schema), query('to', DATE.schema)];
  const text = printClients(describeEndpoint(response, [DATE, ...range]));
  expect(text).toContain('        date: dt.date | str,\n    ) -> AnalystDay: ...');
  expect(text).toContain('        to: dt.date | str,\n    ) -> Rows[AnalystDay]: ...');
  expect(text).toContain('    ) -> AnalystDay | Rows[AnalystDay]:\n        """');
});

test.each([
  ['text/calendar', '-> str', 'self._text('],
  ['application/atom+xml', '-> str', 'self._text('],
  ['application/vnd.apache.parquet', '-> bytes', 'self._bytes('],
])('prints a Python method for a response of type %s', (mediaType, returned, call) => {
  const { paths, components } = describeEndpoint(DAY, []);
  const get = { ...paths['/v1/analyst-days/{symbol}']?.['get'] } as Operation;
  get.responses = { '200': { content: { [mediaType]: { schema: { type: 'string' } } } } };
  const text = printClients({ paths: { '/v1/x': { get } }, components });
  expect(text).toContain(`    ) ${returned}:`);
  expect(text).toContain(`        return ${call}`);
});

test('prints no Python method for a stream of events or for a call that changes something', () => {
  const { paths, components } = describeEndpoint(DAY, []);
  const { get } = paths['/v1/analyst-days/{symbol}'] as { get: Operation };
  const content = { 'text/event-stream': { schema: { type: 'string' } } };
  const stream = { ...get, responses: { '200': { content } } };
  const text = printClients({ paths: { '/v1/x': { get: stream, post: get } }, components });
  expect(text).not.toContain('def ');
});

test('prints a Python model with the documentation of its fields', () => {
  expect(printModels(describeEndpoint(DAY, []))).toContain(`class AnalystDay(Model):
    date: dt.date
    """The day."""
    from_: Decimal | None
    """Old value."""
    rooms: Sequence[Literal["a", "b"]] | None = None
`);
});

test.each([
  ['epsEstimate', 'eps_estimate', true],
  ['upLast7Days', 'up_last_7_days', true],
  ['calendar-earnings-ics', 'calendar_earnings_ics', false],
  ['yield', 'yield_', true],
  ['meta', 'meta_', true],
  ['isETF', 'is_etf', false],
])('names %s in Python as %s, derivable: %s', (name, expected, derivable) => {
  expect([pythonName(name), isDerivable(name)]).toEqual([expected, derivable]);
});

test('keeps a name that a Python client cannot derive beside its field', () => {
  const { paths, components } = describeEndpoint(DAY, []);
  const { AnalystDay: day = {} } = components.schemas;
  const schema = { ...day, properties: { isETF: { type: 'boolean' } }, required: ['isETF'] };
  expect(printModels({ paths, components: { schemas: { AnalystDay: schema } } })).toContain(
    '    is_etf: bool = field(metadata={"name": "isETF"})\n',
  );
});

test.each([
  [{ type: 'integer' }, 'int'],
  [{ const: 'x' }, 'Literal["x"]'],
  [{ type: 'object', additionalProperties: DAY }, 'Mapping[str, AnalystDay]'],
  [
    { anyOf: [{ type: 'string' }, { type: 'string', enum: ['a'] }, { type: 'string' }] },
    'str | Literal["a"]',
  ],
  [{}, 'Any'],
])('prints the schema %j as a Python type', (schema, expected) => {
  expect(pythonType(schema)).toBe(expected);
});
