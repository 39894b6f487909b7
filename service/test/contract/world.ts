import { Compile } from 'typebox/schema';
import {
  runAfterbell,
  startAfterbell,
  type StartedAfterbell,
} from '../support/afterbell-process.ts';

/** A Friday in earnings season during the regular session, at 10:30 in New York. */
export const NOW = '2026-11-20T15:30:00Z';
export const TODAY = '2026-11-20';

/**
 * A row in any response. Does not use the service's own types, so that tests check the actual JSON.
 */
export type Row = Readonly<Record<string, unknown>>;

export interface Reply {
  status: number;
  headers: Headers;
  text: string;
  /** The parsed JSON body. */
  body: unknown;
}

/** The service as a customer sees it: a URL and an API key. */
export interface World {
  url: string;
  key: string;
  /** Sends a request, with the key in a header unless other headers are passed. */
  request(
    path: string,
    options?: { headers?: Record<string, string>; method?: string },
  ): Promise<Reply>;
  /** Returns the body of a 200 response. */
  read(path: string): Promise<unknown>;
  rows(path: string): Promise<Row[]>;
  /** The 15 days around today, in order. */
  days: readonly string[];
  /** Returns the body's violations of the path's published schema. */
  violations(path: string, body: unknown): string[];
  /** Writes the Parquet files that customers download, with a command inside the service. */
  exportDatasets(): Promise<void>;
  stop(): Promise<unknown>;
}

/** Starts the program on an empty folder, with the simulated market at a fixed instant. */
export async function startWorld(folder: string): Promise<World> {
  const service = await startAfterbell(['--data-dir', folder, '--now', NOW], {
    SANDBOX_SYMBOLS: '200',
  });
  const key = await keyWithoutLimit(folder);
  const openApi = (await service.get('/openapi.json')).body as OpenApiDocument;

  async function request(
    path: string,
    options: { headers?: Record<string, string>; method?: string } = {},
  ): Promise<Reply> {
    const headers = options.headers ?? { 'X-Api-Key': key };
    const method = options.method ?? 'GET';
    const response = await fetch(service.url + path, { headers, method, redirect: 'manual' });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json') === true;
    const body: unknown = isJson && text !== '' ? JSON.parse(text) : null;
    return { status: response.status, headers: response.headers, text, body };
  }

  async function read(path: string): Promise<unknown> {
    const reply = await request(path);
    if (reply.status !== 200) throw new Error(`${path}: ${reply.status} ${reply.text}`);
    return reply.body;
  }

  return {
    url: service.url,
    key,
    request,
    read,
    rows: async (path) => (await read(path)) as Row[],
    days: Array.from({ length: 15 }, (_, index) => addDays(TODAY, index - 7)),
    violations: (path, body) => violationsOf(openApi, path, body),
    async exportDatasets() {
      const args = ['export', '--format', 'parquet', '--data-dir', folder];
      const { code, stderr } = await runAfterbell(args);
      if (code !== 0) throw new Error(stderr);
    },
    stop: (): ReturnType<StartedAfterbell['stop']> => service.stop(),
  };
}

/**
 * Creates a key on a plan with a high rate limit, because the tests send more requests per minute
 * than the standard plans allow.
 */
async function keyWithoutLimit(folder: string): Promise<string> {
  await command(['plans', 'add', 'walk', '--per-minute', '100000'], folder);
  return command(['keys', 'create', '--plan', 'walk'], folder);
}

/** Returns the output of a command that must succeed. */
async function command(args: readonly string[], folder: string): Promise<string> {
  const { code, stdout, stderr } = await runAfterbell([...args, '--data-dir', folder]);
  if (code !== 0) throw new Error(stderr);
  return stdout.trim();
}

export function addDays(date: string, days: number): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);
}

/** Compares two values. Null is last by default. */
export function compare(a: unknown, b: unknown, nulls: 'first' | 'last' = 'last'): number {
  if (a === b) return 0;
  if (a === null) return nulls === 'last' ? 1 : -1;
  if (b === null) return nulls === 'last' ? -1 : 1;
  return (a as string | number) < (b as string | number) ? -1 : 1;
}

/** Returns rows that precede a row they should follow, or an empty list if the order is correct. */
export function outOfOrder(rows: readonly Row[], order: (a: Row, b: Row) => number): Row[] {
  return rows.filter((row, index) => {
    const next = rows[index + 1];
    return next !== undefined && order(row, next) >= 0;
  });
}

interface OpenApiDocument {
  paths: Record<string, { get: { responses: Record<string, { content: Content }> } }>;
  components: { schemas: Record<string, unknown> };
}
type Content = Record<string, { schema: object }>;

function violationsOf(openApi: OpenApiDocument, path: string, body: unknown): string[] {
  const [pathname = ''] = path.split('?');
  const template = Object.keys(openApi.paths).find((candidate) =>
    new RegExp(`^${candidate.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(pathname),
  );
  const operation = openApi.paths[template ?? '']?.get;
  const schema = operation?.responses['200']?.content['application/json']?.schema;
  if (schema === undefined) throw new Error(`${path} is not described`);
  const resolvedSchema = resolveReferences(schema, openApi.components.schemas) as object;
  const [isValid, violations] = Compile(resolvedSchema).Errors(body);
  return isValid ? [] : violations.map((fault) => `${fault.instancePath} ${fault.message}`);
}

/** Returns the schema with every reference resolved. */
function resolveReferences(node: unknown, schemas: Record<string, unknown>): unknown {
  if (Array.isArray(node)) return node.map((part) => resolveReferences(part, schemas));
  if (node === null || typeof node !== 'object') return node;
  if ('$ref' in node && typeof node.$ref === 'string') {
    return resolveReferences(schemas[node.$ref.split('/').at(-1) ?? ''], schemas);
  }
  return Object.fromEntries(
    Object.entries(node).map(([name, part]) => [name, resolveReferences(part, schemas)]),
  );
}
