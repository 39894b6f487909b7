import { Parser } from 'htmlparser2';
import { type Instant, parseInstant } from '../../platform/instant.ts';
import { cleanText } from '../kit/clean-text.ts';
import { parseAccession, parseCik } from './edgar.ts';

/** One row of EDGAR's feed of current filings. A filing has one row for each of its filers. */
export interface CurrentFeedRow {
  accession: string;
  cik: string;
  name: string;
  /** `Filer`, `Issuer`, `Subject`, `Reporting`, `Filed by`. */
  role: string;
  form: string;
  /** Item numbers in feed order. Empty for forms without items. */
  items: string[];
  acceptedAt: Instant;
}

/** A filing of the feed, under the filer that it is about. */
export type CurrentFiling = Omit<CurrentFeedRow, 'name' | 'role'>;

export interface CurrentFeedPage {
  rows: CurrentFeedRow[];
  /** Entries that could not be read, with the reason. */
  bad: { reason: string; entry: string }[];
}

/** A company that files comes before a person that reports about one. */
const ROLES = ['Filer', 'Issuer', 'Subject', 'Reporting', 'Filed by'];
const TITLE = /^(.+?) - (.*) \((\d{1,10})\) \(([^()]+)\)$/;

type Entry = Readonly<Record<string, string>>;

/** Reads a page of `getcurrent` as Atom. An unreadable entry does not affect the others. */
export function readCurrentFeed(xml: string): CurrentFeedPage {
  const page: CurrentFeedPage = { rows: [], bad: [] };
  for (const entry of readEntries(xml)) {
    const row = readEntry(entry);
    if (typeof row === 'string') page.bad.push({ reason: row, entry: entry['title'] ?? '' });
    else page.rows.push(row);
  }
  return page;
}

/**
 * Returns each filing once, newest first, however many pages repeat it and in whatever order they
 * were read. Of several filers, the one that the filing is about is named; among equals, the one
 * whose number begins the accession number, then the one with the lowest number.
 */
export function mergeFeedRows(rows: readonly CurrentFeedRow[]): CurrentFiling[] {
  const filings = [...Map.groupBy(rows, ({ accession }) => accession).values()].flatMap((group) => {
    const [first] = group.toSorted(compareFilers);
    if (first === undefined) return [];
    const { accession, cik, form } = first;
    const items = [...new Set(group.flatMap((row) => row.items))].toSorted();
    const acceptedAt = Math.min(...group.map((row) => row.acceptedAt));
    return [{ accession, cik, form, items, acceptedAt }];
  });
  return filings.toSorted(
    (a, b) => b.acceptedAt - a.acceptedAt || (a.accession < b.accession ? 1 : -1),
  );
}

function compareFilers(a: CurrentFeedRow, b: CurrentFeedRow): number {
  return rankOf(a) - rankOf(b) || Number(a.cik) - Number(b.cik) || (a.form < b.form ? -1 : 1);
}

function rankOf({ accession, cik, role }: CurrentFeedRow): number {
  const index = ROLES.indexOf(role);
  const rank = index < 0 ? ROLES.length : index;
  return rank * 2 + (accession.startsWith(cik) ? 0 : 1);
}

function readEntry(entry: Entry): CurrentFeedRow | string {
  const [, titleForm = '', name = '', digits, role = ''] = TITLE.exec(entry['title'] ?? '') ?? [];
  const cik = parseCik(digits);
  const accession = parseAccession(/accession-number=([\d-]+)/.exec(entry['id'] ?? '')?.[1]);
  const acceptedAt = parseInstant(entry['updated'] ?? '');
  if (accession === null) return 'bad-accession';
  if (cik === null) return 'bad-cik';
  if (acceptedAt === null) return 'bad-time';
  const form = entry['form'] ?? titleForm;
  const items = [...(entry['summary'] ?? '').matchAll(/\bItem (\d{1,2}\.\d{2})\b/g)];
  return {
    accession,
    cik,
    name: cleanText(name) ?? '',
    role,
    form: form.trim(),
    items: items.flatMap((match) => match[1] ?? []),
    acceptedAt,
  };
}

/** Returns the text of each entry's elements, and the form from its category. */
function readEntries(xml: string): Entry[] {
  const entries: Entry[] = [];
  let entry: Record<string, string> | null = null;
  let element = '';
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        if (name === 'entry') entry = {};
        else if (name === 'category' && entry !== null) entry['form'] = attributes['term'] ?? '';
        element = name;
      },
      ontext(text) {
        if (entry !== null && element !== '') entry[element] = (entry[element] ?? '') + text;
      },
      onclosetag(name, isImplied) {
        element = '';
        if (name !== 'entry' || entry === null) return;
        // The end of a page that was cut off closes its last entry, which is not complete.
        if (!isImplied) entries.push(entry);
        entry = null;
      },
    },
    { xmlMode: true },
  );
  parser.end(xml);
  return entries;
}
