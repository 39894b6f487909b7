import fc from 'fast-check';
import type { Dividend } from '../../src/datasets/dividends/row.ts';
import { dividendVersions } from '../../src/datasets/dividends/store.ts';
import type { EconomicEvent } from '../../src/datasets/economic-events/row.ts';
import { economicEventVersions } from '../../src/datasets/economic-events/store.ts';
import type { Ipo } from '../../src/datasets/ipos/row.ts';
import { ipoVersions } from '../../src/datasets/ipos/store.ts';
import {
  addMarketOverride,
  revokeMarketOverride,
} from '../../src/datasets/market-overrides/store.ts';
import { changedFacts } from '../../src/datasets/versions/changed-facts.ts';
import { takeVersionInstant } from '../../src/datasets/versions/version-clock.ts';
import {
  replaceVersions,
  type Versioned,
  type VersionedTable,
} from '../../src/datasets/versions/versioned-table.ts';
import { localDate } from '../../src/domain/local-date.ts';
import type { Db } from '../../src/storage/db.ts';

/** Rows as a merge would store them. For each table listed here, all current rows are replaced. */
export const directWrite = fc.record(
  {
    dividends: fc.uniqueArray(rowShape(), { selector: ({ id }) => id, maxLength: 2 }),
    ipos: fc.uniqueArray(rowShape(), { selector: ({ id }) => id, maxLength: 2 }),
    events: fc.uniqueArray(rowShape(), { selector: ({ id }) => id, maxLength: 2 }),
    closed: fc.constantFrom('2026-02-10', '2026-02-12', 'revoke'),
  },
  { requiredKeys: [] },
);

export type DirectWrite = typeof directWrite extends fc.Arbitrary<infer Shape> ? Shape : never;

type RowShape = ReturnType<typeof rowShape> extends fc.Arbitrary<infer Shape> ? Shape : never;

function rowShape() {
  return fc.record({
    id: fc.constantFrom('a', 'b', 'c'),
    day: fc.constantFrom('2026-02-05', '2026-02-12', '2026-06-20'),
    amount: fc.constantFrom('0.25', '0.3', null),
    seenAt: fc.constantFrom(Date.UTC(2026, 0, 20), Date.UTC(2026, 0, 21)),
  });
}

/** Writes in one transaction, with an instant from the version clock, as every merge does. */
export async function writeDirectly(db: Db, write: DirectWrite, now: number): Promise<void> {
  await db.transaction(async (tx) => {
    const at = await takeVersionInstant(tx, now);
    const replace = async <Version extends Versioned & { id: string }>(
      table: VersionedTable<Version>,
      after: readonly Version[],
    ): Promise<void> => {
      const before = await table.load(tx, null, 'true', []);
      await replaceVersions(table, tx, { before, after, changed: changedFacts<Version> }, at);
    };
    if (write.dividends !== undefined)
      await replace(dividendVersions, write.dividends.map(dividendOf));
    if (write.ipos !== undefined) await replace(ipoVersions, write.ipos.map(ipoOf));
    if (write.events !== undefined) await replace(economicEventVersions, write.events.map(eventOf));
    if (write.closed === 'revoke') {
      const rows = await tx.query<{ id: number }>(
        `select id from market_override where revoked_at is null order by id limit 1`,
      );
      for (const { id } of rows) await revokeMarketOverride(tx, { id, operator: 'test' }, now);
    } else if (write.closed !== undefined) {
      const date = localDate(write.closed);
      const override = { date, kind: 'closed', reason: 'Flood' } as const;
      await addMarketOverride(tx, { override, note: null, operator: 'test' }, now);
    }
  });
}

function withSource(shape: RowShape) {
  const source = { provider: 'nasdaq', feed: 'made-up', seenAt: shape.seenAt };
  return {
    provenance: { amount: source, status: source, actual: source },
    updatedAt: shape.seenAt,
  };
}

function dividendOf(shape: RowShape): Dividend {
  return {
    id: `div_${shape.id}`,
    securityId: 'sec_made_up',
    symbol: 'MADE',
    name: null,
    exDate: localDate(shape.day),
    recordDate: null,
    paymentDate: null,
    declarationDate: null,
    amount: shape.amount,
    splitAdjustedAmount: shape.amount,
    currency: 'USD',
    type: 'cash',
    frequency: null,
    annualizedAmount: null,
    status: 'declared',
    flags: [],
    ...withSource(shape),
  };
}

function ipoOf(shape: RowShape): Ipo {
  return {
    id: `ipo_${shape.id}`,
    subject: shape.id,
    symbol: null,
    companyName: shape.id,
    exchange: null,
    mic: null,
    date: localDate(shape.day),
    dateStatus: 'expected',
    status: 'expected',
    offeringType: null,
    priceLow: null,
    priceHigh: null,
    price: shape.amount,
    shares: null,
    dealSize: null,
    currency: 'USD',
    filedDate: null,
    pricedDate: null,
    withdrawnDate: null,
    underwriters: [],
    lockupExpiration: null,
    cik: null,
    filingUrl: null,
    ...withSource(shape),
  };
}

function eventOf(shape: RowShape): EconomicEvent {
  return {
    id: `us-made-up:${shape.id}`,
    country: 'United States',
    countryCode: 'US',
    eventName: shape.id,
    date: localDate(shape.day),
    time: '24H',
    scheduledAt: null,
    timeStatus: 'all-day',
    actual: shape.amount,
    consensus: null,
    previous: null,
    revised: null,
    actualValue: shape.amount,
    consensusValue: null,
    previousValue: null,
    revisedValue: null,
    unit: null,
    measure: null,
    period: null,
    importance: 1,
    usMajor: false,
    sourceUrl: null,
    ...withSource(shape),
  };
}
