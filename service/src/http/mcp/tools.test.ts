import { expect, test } from 'vitest';
import { stubWorld } from '../../../test/support/stub-endpoints.ts';
import { endpoints } from '../../endpoints/registry.gen.ts';
import { loadGuides } from '../guides/load-guides.ts';
import { referencePages, referenceTool } from './reference.ts';
import { offeredParameters, parseToolArguments, signatureOf } from './tool-arguments.ts';
import { readTools } from './tools.ts';

const TOOLS_MAX = 8;
const TOKENS_MAX = 4_000;
/** A usual approximation for English text and JSON. */
const CHARS_PER_TOKEN = 4;

const tools = readTools(endpoints);
const target = { publicUrl: 'http://data.example', isSynthetic: true };
const pages = referencePages({ endpoints, guides: loadGuides(), ...target });

test('reaches every endpoint through exactly one tool, with every parameter it accepts', () => {
  for (const endpoint of endpoints) {
    const owners = tools.filter((tool) => tool.endpoints.includes(endpoint));
    expect(owners, endpoint.name).toHaveLength(1);
    const properties = owners[0]?.inputSchema.properties ?? {};
    expect(properties['endpoint']?.['enum']).toContain(endpoint.name);
    for (const { name } of offeredParameters(endpoint)) expect(properties).toHaveProperty(name);
    expect(owners[0]?.description).toContain(signatureOf(endpoint));
    const values = offeredParameters(endpoint).map(({ name }) => [name, 'X']);
    const request = parseToolArguments(endpoints, {
      endpoint: endpoint.name,
      ...(Object.fromEntries(values) as object),
    });
    const path = endpoint.path.replaceAll(/\{\w+\}/g, 'X');
    expect('url' in request && request.url.split('?')[0]).toBe(path);
  }
});

test('shows a new endpoint behind a tool and in the reference without any other change', () => {
  const [template] = stubWorld().endpoints;
  if (template === undefined) throw new Error('no stub endpoint');
  const added = { ...template, name: 'analyst-days', path: '/v1/analyst-days' };
  const grown = readTools([...endpoints, added]);
  expect(grown.flatMap((tool) => tool.endpoints.map(({ name }) => name))).toContain('analyst-days');
  const documented = referencePages({ endpoints: [added], guides: [], ...target });
  expect(documented.map(({ topic }) => topic)).toEqual(['analyst-days']);
});

test(`costs an agent fewer than ${TOKENS_MAX} tokens for at most ${TOOLS_MAX} tools`, () => {
  const listed = [
    ...tools.map(({ name, title, description, inputSchema }) => ({
      name,
      title,
      description,
      inputSchema,
    })),
    referenceTool(pages),
  ];
  expect(listed.length).toBeLessThanOrEqual(TOOLS_MAX);
  expect(new Set(listed.map(({ name }) => name)).size).toBe(listed.length);
  expect(JSON.stringify(listed).length / CHARS_PER_TOKEN).toBeLessThan(TOKENS_MAX);
});

test('shows required parameters before optional ones in the signature of an endpoint', () => {
  const signatures = endpoints.map(signatureOf);
  expect(signatures).toContain('earnings(symbol or symbols; include?, asOf?, known?)');
  expect(signatures).toContain(
    'calendar-earnings(date or from+to; symbols?, include?, asOf?, known?)',
  );
});

test.each<[string, object, string]>([
  ['an unknown endpoint', { endpoint: 'prices' }, 'endpoint'],
  ['no endpoint', {}, 'endpoint'],
  ['a parameter of another endpoint', { endpoint: 'earnings', symbol: 'A', date: 'today' }, 'date'],
  ['a missing path parameter', { endpoint: 'earnings-revisions' }, 'id'],
  ['a limit of zero', { endpoint: 'earnings', symbol: 'A', limit: 0 }, 'limit'],
  ['a foreign cursor', { endpoint: 'earnings', symbol: 'A', cursor: 'next please' }, 'cursor'],
])('rejects a call with %s and names the argument', (_, input, parameter) => {
  const result = parseToolArguments(endpoints, { ...input });
  expect('refusal' in result && result.refusal.members).toEqual({ parameter });
});

test('accepts a list as an array or as text, and ignores null', () => {
  const urlOf = (input: object) => {
    const result = parseToolArguments(endpoints, { endpoint: 'calendar-ipo', ...input });
    return 'url' in result ? result.url : result.refusal.detail;
  };
  expect(urlOf({ symbols: ['NRTH', 'BRK.B'] })).toBe('/v1/calendar/ipo?symbols=NRTH%2CBRK.B');
  expect(urlOf({ symbols: 'NRTH,BRK.B' })).toBe('/v1/calendar/ipo?symbols=NRTH%2CBRK.B');
  expect(urlOf({ symbols: null, from: '' })).toBe('/v1/calendar/ipo');
});
