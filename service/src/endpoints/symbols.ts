import { DIRECTORY_TOPICS, loadDirectory } from '../datasets/profiles/directory.ts';
import {
  listEntries,
  MATCHED_FIELDS,
  searchEntries,
  type SearchResult,
} from '../datasets/profiles/search.ts';
import { EXCHANGE_NAMES } from '../domain/exchange.ts';
import { nextNewYorkMidnight } from '../domain/new-york.ts';
import type { Instant } from '../platform/instant.ts';
import type { Endpoint, Values } from './endpoint.ts';
import { formerSymbol, SECURITY_TAGS, SECURITY_TYPES } from './rows/profile-row.ts';
import { type BodyOf, choice, flag, list, named, nullable, symbol, text } from './schema/fields.ts';
import { exampleCompany } from './rows/example-company.ts';

const SEARCH_LENGTH_MAX = 64;
/** A listing that ends makes no topic stale, so responses expire. */
const CACHE_MS = 5 * 60_000;

const foundSymbol = named('FoundSymbol', {
  symbol: symbol('Current symbol, or the last one of a delisted security.'),
  name: nullable(text('Issuer.')),
  exchange: nullable(text('Listing exchange.')),
  mic: nullable(text('ISO 10383 market identifier of the exchange.')),
  type: choice(SECURITY_TYPES, 'Kind of security.'),
  tags: list(choice(SECURITY_TAGS, 'Tag.'), 'Further properties of the security.'),
  active: flag('True if it is still listed.'),
  cik: nullable(text('SEC filer number, ten digits.')),
  formerSymbols: list(formerSymbol, 'Former symbols.'),
  match: nullable(
    named(
      'SearchMatch',
      {
        field: choice(MATCHED_FIELDS, 'The kind of text that matched.'),
        text: text('The matching symbol or name.'),
      },
      'Null without `search`.',
    ),
  ),
});

type FoundSymbolRow = BodyOf<typeof foundSymbol>;

export const endpoint: Endpoint = {
  name: 'symbols',
  path: '/v1/symbols',
  summary: 'Search companies',
  describe:
    'Securities whose symbol, name, former symbol or former name begins with `search`, or whose ' +
    'name has words that begin with its words; all securities without it, by symbol. Case, ' +
    'accents and punctuation do not matter. Best matches first: the exact symbol, then listed ' +
    'securities by exact former symbol, start of the symbol, of the name, of a former symbol or ' +
    'name, and words within a name; shorter symbols first. For a search box, send `limit`.',
  tag: 'companies',
  parameters: [
    {
      name: 'search',
      in: 'query',
      kind: 'text',
      required: false,
      lengthMax: SEARCH_LENGTH_MAX,
      describe: 'Start of a symbol or of a name, or several words of a name.',
    },
    {
      name: 'exchange',
      in: 'query',
      kind: 'enum',
      required: false,
      values: EXCHANGE_NAMES,
      describe: 'Returns only securities of this exchange.',
    },
    {
      name: 'type',
      in: 'query',
      kind: 'enum',
      required: false,
      values: SECURITY_TYPES,
      describe: 'Returns only securities of this kind.',
    },
    {
      name: 'active',
      in: 'query',
      kind: 'boolean',
      required: false,
      default: null,
      describe: 'Returns only listed securities, or with `false` only delisted ones.',
    },
  ],
  response: list(foundSymbol, 'Securities, best match first.'),
  example: [
    {
      symbol: exampleCompany.symbol,
      name: exampleCompany.name,
      exchange: 'NASDAQ',
      mic: 'XNAS',
      type: 'equity',
      tags: [],
      active: true,
      cik: exampleCompany.cik,
      formerSymbols: [],
      match: { field: 'name', text: exampleCompany.name },
    } satisfies FoundSymbolRow,
  ],
  datasets: ['securities', 'profiles'],
  historicalAccess: false,
  topics: () => DIRECTORY_TOPICS,
  validUntil: (_, now) => Math.min(nextNewYorkMidnight(now), now + CACHE_MS),
  maxAgeSeconds: () => 300,
  async handle(values, { db, now, findStart = () => 0 }) {
    const entries = await loadDirectory(db, now);
    const search = values.text('search');
    const found = search === null ? listEntries(entries) : searchEntries(entries, search);
    const matches = found.filter((result) => isWanted(result, values));
    const rows = matches.map(({ entry }) => ({ id: entry.securityId }));
    const start = findStart(rows);
    if (start === null) return { kind: 'cursor-gone' };
    const page = matches.slice(start, start + (values.integer('limit') ?? Infinity));
    return { kind: 'body', body: page.map(render), part: { rows, start }, asOf: newestOf(page) };
  },
};

function isWanted({ entry }: SearchResult, values: Values): boolean {
  const [exchange, type] = [values.choice('exchange'), values.choice('type')];
  const active = values.maybeFlag('active');
  return (
    (exchange === null || entry.exchange === exchange) &&
    (type === null || entry.type === type) &&
    (active === null || entry.active === active)
  );
}

function render({ entry, match }: SearchResult): FoundSymbolRow {
  const { name, exchange, mic, type, tags, active, cik, formerSymbols } = entry;
  return {
    symbol: entry.symbol,
    name,
    exchange,
    mic,
    type,
    tags: [...tags],
    active,
    cik,
    formerSymbols: [...formerSymbols],
    match,
  };
}

function newestOf(results: readonly SearchResult[]): Instant | null {
  const newest = results.reduce((at, { entry }) => Math.max(at, entry.seenAt ?? 0), 0);
  return newest === 0 ? null : newest;
}
