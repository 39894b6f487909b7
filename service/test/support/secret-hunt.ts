import type { Db } from '../../src/storage/db.ts';
import { cookieOf, type Exchange, type Management } from './management-server.ts';

/** Shorter texts are found by chance. */
const LENGTH_MIN = 12;

/** Members of what is sent that are secrets, and of answers. */
const SENT = new Set(['password', 'current', 'next', 'token', 'code']);
const SHOWN = new Set(['key', 'secret', 'link', 'recoveryCodes']);

/** Everything secret that went in or out, by whether an answer showed it. */
export function secretsOf({
  exchanges,
  secrets,
}: Management): { text: string; isShown: boolean }[] {
  const found = new Map<string, boolean>([...secrets].map((secret) => [secret, false]));
  for (const { sent, reply } of exchanges) {
    for (const text of textsIn(sent, SENT)) if (!found.has(text)) found.set(text, false);
    for (const text of textsIn(reply.json, SHOWN)) found.set(text.replace(/^.*#/, ''), true);
    const cookie = /=([^;]+)/.exec(cookieOf(reply))?.[1];
    if (cookie !== undefined) found.set(cookie, false);
  }
  return [...found]
    .map(([text, isShown]) => ({ text, isShown }))
    .filter(({ text }) => text.length >= LENGTH_MIN);
}

/** Every row of every table, as text. */
async function dumpTables(db: Db): Promise<Map<string, string>> {
  // The names of all tables of our own, from the catalogue.
  const tables = await db.query<{ name: string }>(
    "select tablename as name from pg_tables where schemaname = 'public' order by tablename",
  );
  // Every row of every table by scans, since the stores of tests are small.
  const whole = tables.map(({ name }) => `select '${name}' as name, t::text as row from ${name} t`);
  const rows = await db.query<{ name: string; row: string }>(
    `${whole.join(' union all ')} order by name, row`,
  );
  const dump = new Map(tables.map(({ name }) => [name, [] as string[]]));
  for (const { name, row } of rows) dump.get(name)?.push(row);
  return new Map([...dump].map(([name, lines]) => [name, lines.join('\n')]));
}

/**
 * How many rows each table holds, and a digest of them: whether anything changed, and where. Rows are
 * told apart in the store, since hundreds of tests ask twice, of ever more rows.
 */
export async function stateOfTables(db: Db): Promise<Map<string, string>> {
  // The names of all tables of our own, from the catalogue.
  const tables = await db.query<{ name: string }>(
    "select tablename as name from pg_tables where schemaname = 'public'",
  );
  // A row for each table, by scans: the digests of rows add up to the same in any order.
  const digests = tables.map(
    ({ name }) => `select '${name}' as name,
       count(*) || ' ' || coalesce(sum(hashtextextended(t::text, 0)::numeric), 0) as state
       from ${name} t`,
  );
  const rows = await db.query<{ name: string; state: string }>(digests.join(' union all '));
  return new Map(rows.map(({ name, state }) => [name, state]));
}

/** Where a secret stands that should not: in a table, the log, or an answer beyond its first. */
export async function findLeaks(db: Db, management: Management): Promise<string[]> {
  const tables = await dumpTables(db);
  const log = JSON.stringify(management.log.entries);
  // Written out once: there are hundreds of secrets and thousands of answers.
  const answered = management.exchanges.map((exchange) => ({
    ...exchange,
    text: answerText(exchange),
  }));
  const leaks: string[] = [];
  for (const { text, isShown } of secretsOf(management)) {
    const forms = formsOf(text);
    const within = (where: string) => forms.some((form) => where.includes(form));
    for (const [name, rows] of tables) if (within(rows)) leaks.push(`table ${name}`);
    if (within(log)) leaks.push('log');
    const answers = answered.filter(({ text: whole }) => within(whole));
    if (answers.length > (isShown ? 1 : 0)) {
      leaks.push(...answers.map(({ method, url }) => `answer of ${method} ${url}`));
    }
    if (management.exchanges.some(({ url }) => within(url))) leaks.push('address');
  }
  return leaks;
}

function answerText({ reply }: Exchange): string {
  const { 'set-cookie': _cookie, ...headers } = reply.headers;
  return `${JSON.stringify(headers)} ${reply.text}`;
}

/** As it is, and as bytes would be written: of the text, and of what the text encodes. */
function formsOf(text: string): string[] {
  const bytes = [Buffer.from(text), Buffer.from(text, 'base64url')];
  return [text, ...bytes.map((each) => each.toString('hex')), Buffer.from(text).toString('base64')];
}

function textsIn(value: unknown, names: ReadonlySet<string>): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]: [string, unknown]) => {
    if (!names.has(name)) return textsIn(inner, names);
    const texts = Array.isArray(inner) ? inner : [inner];
    return texts.filter((text) => typeof text === 'string');
  });
}
