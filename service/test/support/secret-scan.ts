import type { Db } from '../../src/storage/db.ts';
import { cookieOf, type Exchange, type Management } from './management-server.ts';

/** Minimum length of the secrets to search for. Shorter texts could occur by coincidence. */
const LENGTH_MIN = 12;

/** Fields in request bodies that contain secrets. `RESPONSE_FIELDS` lists those in responses. */
const REQUEST_FIELDS = new Set(['password', 'current', 'next', 'token', 'code']);
const RESPONSE_FIELDS = new Set(['key', 'secret', 'link', 'recoveryCodes']);

/** Returns all secrets sent and received. `isShown` is true if a response contained the secret. */
export function secretsOf({
  exchanges,
  secrets,
}: Management): { text: string; isShown: boolean }[] {
  const shownByText = new Map<string, boolean>([...secrets].map((secret) => [secret, false]));
  for (const { sent, reply } of exchanges) {
    for (const text of textsIn(sent, REQUEST_FIELDS))
      if (!shownByText.has(text)) shownByText.set(text, false);
    for (const text of textsIn(reply.json, RESPONSE_FIELDS))
      shownByText.set(text.replace(/^.*#/, ''), true);
    const cookie = /=([^;]+)/.exec(cookieOf(reply))?.[1];
    if (cookie !== undefined) shownByText.set(cookie, false);
  }
  return [...shownByText]
    .map(([text, isShown]) => ({ text, isShown }))
    .filter(({ text }) => text.length >= LENGTH_MIN);
}

/** Returns all rows in all tables, as text. */
async function dumpTables(db: Db): Promise<Map<string, string>> {
  // Returns the names of all user tables, from the catalog.
  const tables = await db.query<{ name: string }>(
    "select tablename as name from pg_tables where schemaname = 'public' order by tablename",
  );
  // Returns all rows. Scans whole tables, which are small in tests.
  const scans = tables.map(({ name }) => `select '${name}' as name, t::text as row from ${name} t`);
  const rows = await db.query<{ name: string; row: string }>(
    `${scans.join(' union all ')} order by name, row`,
  );
  const dump = new Map(tables.map(({ name }) => [name, [] as string[]]));
  for (const { name, row } of rows) dump.get(name)?.push(row);
  return new Map([...dump].map(([name, lines]) => [name, lines.join('\n')]));
}

/**
 * Returns every table's row count and digest, to detect changes. The database computes the digests,
 * because hundreds of tests compare growing tables.
 */
export async function stateOfTables(db: Db): Promise<Map<string, string>> {
  // Returns the names of all user tables, from the catalog.
  const tables = await db.query<{ name: string }>(
    "select tablename as name from pg_tables where schemaname = 'public'",
  );
  // Returns one row per table. Scans whole tables. Digests are summed, so they do not depend on row
  // order.
  const digests = tables.map(
    ({ name }) => `select '${name}' as name,
       count(*) || ' ' || coalesce(sum(hashtextextended(t::text, 0)::numeric), 0) as state
       from ${name} t`,
  );
  const rows = await db.query<{ name: string; state: string }>(digests.join(' union all '));
  return new Map(rows.map(({ name, state }) => [name, state]));
}

/** Returns the secrets found in a table, in the log, in a URL, or in more than one response. */
export async function findLeaks(db: Db, management: Management): Promise<string[]> {
  const tables = await dumpTables(db);
  const log = JSON.stringify(management.log.entries);
  // Each exchange is serialized only once, because hundreds of secrets are searched for in
  // thousands of responses.
  const exchanges = management.exchanges.map((exchange) => ({
    ...exchange,
    text: answerText(exchange),
  }));
  const leaks: string[] = [];
  for (const { text, isShown } of secretsOf(management)) {
    const forms = formsOf(text);
    const isIn = (where: string) => forms.some((form) => where.includes(form));
    for (const [name, rows] of tables) if (isIn(rows)) leaks.push(`table ${name}`);
    if (isIn(log)) leaks.push('log');
    const matches = exchanges.filter(({ text: response }) => isIn(response));
    if (matches.length > (isShown ? 1 : 0)) {
      leaks.push(...matches.map(({ method, url }) => `response to ${method} ${url}`));
    }
    if (management.exchanges.some(({ url }) => isIn(url))) leaks.push('request URL');
  }
  return leaks;
}

function answerText({ reply }: Exchange): string {
  const { 'set-cookie': _cookie, ...headers } = reply.headers;
  return `${JSON.stringify(headers)} ${reply.text}`;
}

/** Returns the text itself, and the hexadecimal and base64 forms in which it could be stored. */
function formsOf(text: string): string[] {
  const bytes = [Buffer.from(text), Buffer.from(text, 'base64url')];
  return [
    text,
    ...bytes.map((encoded) => encoded.toString('hex')),
    Buffer.from(text).toString('base64'),
  ];
}

function textsIn(value: unknown, names: ReadonlySet<string>): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]: [string, unknown]) => {
    if (!names.has(name)) return textsIn(inner, names);
    const texts = Array.isArray(inner) ? inner : [inner];
    return texts.filter((text) => typeof text === 'string');
  });
}
