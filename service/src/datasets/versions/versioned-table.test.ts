import { expect, test } from 'vitest';
import { onEachEngine } from '../../../test/support/each-engine.ts';
import { compareText } from '../../platform/compare.ts';
import type { Db, Queryable, Row, SqlValue } from '../../storage/db.ts';
import type { Profile } from '../profiles/row.ts';
import { profileVersions } from '../profiles/store.ts';
import { type Difference, replaceVersions, versionsIn } from './versioned-table.ts';

const FIRST = Date.parse('2026-11-02T12:00:00.123Z');
const THEN = FIRST + 60_000;
const LATER = THEN + 60_000;

onEachEngine((db) => {
  test("returns a version as of its commit and any later instant before the next version's commit", async () => {
    await replace(db(), [], [profileOf('AAA', 'Steel')], FIRST);
    await replace(db(), [profileOf('AAA', 'Steel')], [profileOf('AAA', 'Paper')], THEN);

    expect(await sectorsAt(db(), FIRST - 1)).toEqual([]);
    expect(await sectorsAt(db(), FIRST)).toEqual(['Steel']);
    expect(await sectorsAt(db(), THEN - 1)).toEqual(['Steel']);
    expect(await sectorsAt(db(), THEN)).toEqual(['Paper']);
    expect(await sectorsAt(db(), null)).toEqual(['Paper']);
  });

  test('closes a version that is no longer derived, and keeps it in the history', async () => {
    await replace(db(), [], [profileOf('AAA', 'Steel'), profileOf('BBB', 'Glass')], FIRST);
    const removed = await replace(db(), [profileOf('BBB', 'Glass')], [], LATER);

    expect(removed).toEqual([{ kind: 'removed', before: profileOf('BBB', 'Glass') }]);
    expect(await sectorsAt(db(), null)).toEqual(['Steel']);
    expect(await sectorsAt(db(), THEN)).toEqual(['Glass', 'Steel']);
  });

  test('writes and reports no version for the same facts from the same source', async () => {
    await replace(db(), [], [profileOf('AAA', 'Steel')], FIRST);
    const same = await replace(
      db(),
      [profileOf('AAA', 'Steel')],
      [profileOf('AAA', 'Steel')],
      THEN,
    );

    expect(same).toEqual([]);
    expect(await countOf(db())).toBe(1);
  });

  test('writes a version for the same facts from a different source, so that past responses stay reproducible', async () => {
    const [before, after] = [profileOf('AAA', 'Steel'), profileOf('AAA', 'Steel', 'files')];
    await replace(db(), [], [before], FIRST);

    expect(await replace(db(), [before], [after], THEN)).toEqual([
      { kind: 'renewed', before, after },
    ]);
    expect(await profileVersions.load(db(), null, 'true', [])).toEqual([after]);
    expect(await profileVersions.load(db(), THEN - 1, 'true', [])).toEqual([before]);
  });

  test('loads many versions a few at a time, and returns what one query would', async () => {
    const profiles = Array.from({ length: 120 }, (_, i) => profileOf(`S${i}`, 'Steel'));
    await replace(db(), [], profiles, FIRST);
    await replace(db(), [profileOf('S7', 'Steel')], [profileOf('S7', 'Paper')], THEN);
    const counts: number[] = [];
    const counting: Queryable = {
      async query<T extends Row>(text: string, params?: readonly SqlValue[]) {
        const rows = await db().query<T>(text, params);
        counts.push(rows.length);
        return rows;
      },
    };
    for (const at of [null, FIRST, THEN, FIRST - 1]) {
      const where = `v.symbol <> $1`;
      const loaded = await profileVersions.loadInSlices(counting, at, where, ['S3']);
      const expected = await profileVersions.load(db(), at, where, ['S3']);
      expect(bySymbol(loaded)).toEqual(bySymbol(expected));
    }
    expect(counts).toEqual([119, 50, 50, 19, 119, 50, 50, 19, 119, 50, 50, 19, 0]);
  });

  test('runs no statement if there are no versions to write', async () => {
    expect(await replace(db(), [], [], FIRST)).toEqual([]);
    expect(await countOf(db())).toBe(0);
  });
});

test('returns all versions contained in a difference', () => {
  const [before, after] = [profileOf('AAA', 'Steel'), profileOf('AAA', 'Paper')];
  expect(versionsIn({ kind: 'changed', before: null, after, changedFields: [] })).toEqual([after]);
  expect(versionsIn({ kind: 'renewed', before, after })).toEqual([before, after]);
  expect(versionsIn({ kind: 'removed', before })).toEqual([before]);
});

function replace(
  db: Db,
  before: readonly Profile[],
  after: readonly Profile[],
  now: number,
): Promise<Difference<Profile>[]> {
  const changed = (a: Profile | null, b: Profile): string[] =>
    a?.fields.sector === b.fields.sector ? [] : ['sector'];
  return db.transaction((tx) =>
    replaceVersions(profileVersions, tx, { before, after, changed }, now),
  );
}

async function sectorsAt(db: Db, at: number | null): Promise<string[]> {
  const ids = ['sec_AAA', 'sec_BBB'];
  const profiles = await profileVersions.load(db, at, 'v.security_id = any($1::text[])', [ids]);
  return profiles.map(({ fields }) => fields.sector ?? '').toSorted((a, b) => (a < b ? -1 : 1));
}

async function countOf(db: Db): Promise<unknown> {
  const rows = await db.query('select count(*)::int4 as n from profile');
  return rows[0]?.['n'];
}

function profileOf(symbol: string, sector: string, provider = 'nasdaq'): Profile {
  return {
    securityId: `sec_${symbol}`,
    symbol,
    fields: {
      companyName: symbol,
      cik: null,
      exchange: null,
      mic: null,
      sector,
      industry: null,
      sicCode: null,
      classification: 'provider',
      country: null,
      countryCode: null,
      countryEmoji: null,
      type: 'equity',
      tags: [],
      outstandingShares: null,
      outstandingSharesAllClasses: null,
      sharesAsOf: null,
      active: true,
      listDate: null,
      delistDate: null,
      formerSymbols: [],
      fiscalYearEnd: null,
    },
    provenance: { sector: { provider, feed: 'list', seenAt: FIRST } },
    updatedAt: FIRST,
  };
}

function bySymbol(profiles: readonly Profile[]): Profile[] {
  return profiles.toSorted((a, b) => compareText(a.symbol, b.symbol));
}
