import { expect, test } from 'vitest';
import { onEachEngine } from '../../../test/support/each-engine.ts';
import { fakeClock } from '../../../test/support/fake-clock.ts';
import { eventOf, securityOf, storeRows } from '../../../test/support/stored-earnings.ts';
import { emptyStore } from '../../../test/support/stores.ts';
import {
  addCompanies,
  addEndpoint,
  claimAll,
  deliverAll,
  deliveryRows,
  engineDeps,
  fanOutAll,
  managementOf,
  publish,
  recordOutcomes,
  respondWith,
  saveWatchlist,
  subscribeTo,
  unsubscribeFrom,
} from '../../../test/support/webhook-world.ts';
import { COMMAND_LINE } from '../../accounts/audit-log.ts';
import type { EarningsEvent } from '../../datasets/earnings/row.ts';
import { localDate } from '../../domain/local-date.ts';
import type { Db } from '../../storage/db.ts';
import { removeWatchlist } from '../../watchlists/watchlist-actions.ts';
import { subscribe } from '../../webhooks/subscription/subscription-actions.ts';
import { findTestSymbol } from '../../webhooks/subscription/find-test-symbol.ts';
import { listSubscriptions } from '../../webhooks/subscription/subscription-list.ts';
import type { EngineDeps } from '../engine.ts';
import { queueDateRollover } from './date-rollover.ts';
import { fanOut } from './fan-out.ts';
import { readChanges } from './read-changes.ts';

const NOW = Date.parse('2026-11-16T15:00:00Z');
const HOUR = 3_600_000;

onEachEngine((db) => {
  test('sends changes of all companies to `*`, and nothing for subscribing', async () => {
    const deps = await world(db(), ['*']);
    expect(await deliverAll(deps)).toEqual([]);
    await publish(deps, 'AAA', { epsEstimate: '1.3' });
    await publish(deps, 'BBB', { epsEstimate: '1.3', date: localDate('2026-11-23') });
    expect(await sentFields(deps)).toEqual({ AAA: ['epsEstimate'], BBB: ['date', 'epsEstimate'] });
    await publish(deps, 'AAA', { epsEstimate: '1.4' });
    expect(await sentFields(deps)).toEqual({ AAA: ['epsEstimate'] });
    expect(await memberSymbols(db())).toEqual(['AAA', 'BBB']);
  });

  test('sends changes of companies of an exchange, a sector or a watchlist only', async () => {
    for (const set of ['exchange:NYSE', 'sector:Consumer Services', '@desk']) {
      const deps = await world(db(), [set]);
      for (const symbol of SYMBOLS) await publish(deps, symbol, { epsEstimate: '1.7' });
      expect([set, await sentFields(deps)]).toEqual([set, { AAA: ['epsEstimate'] }]);
    }
  });

  test('includes a company that joins later, and lists every known field of a new one', async () => {
    const deps = await world(db(), ['exchange:nyse']);
    await addCompany(db(), 'NEW', { exchange: 'NYSE' });
    await publish(deps, 'NEW', { epsEstimate: '1.7' });
    expect(await sentFields(deps)).toEqual({ NEW: ['date', 'time', 'epsEstimate'] });
    await addCompany(db(), 'BBB', { exchange: 'NYSE' });
    await publish(deps, 'BBB', { epsEstimate: '1.7' });
    await addCompany(db(), 'AAA', { exchange: 'NASDAQ' });
    await publish(deps, 'AAA', { epsEstimate: '1.7' });
    expect(await sentFields(deps)).toEqual({ BBB: ['epsEstimate'] });
  });

  test('keeps changes before the subscription out of the first delivery, sent or too old to be sent', async () => {
    const deps = await world(db(), ['*']);
    await publish(deps, 'AAA', { epsEstimate: '1.3' });
    await publish(deps, 'BBB', { epsEstimate: '1.3' }, NOW - 25 * HOUR);
    while ((await readChanges(deps)).count > 0) continue;
    await addEndpoint(db(), 'late');
    await subscribeTo(deps, 'late', ['*']);
    await fanOutAll(deps);
    const early = await deliveryRows(db());
    expect(early.map(({ endpoint_id: id, symbol }) => [id, symbol])).toEqual([['ep', 'AAA']]);
    await publish(deps, 'BBB', { date: localDate('2026-11-24') });
    const fields = (await deliverAll(deps)).flatMap(({ context, changed_fields: changed }) =>
      context.symbol === 'BBB' ? [changed] : [],
    );
    expect(fields).toHaveLength(2);
    expect(fields).toEqual(expect.arrayContaining([['date'], ['date', 'epsEstimate']]));
  });

  test('sends nothing if a value changes back before the first attempt', async () => {
    const deps = await world(db(), ['*']);
    await publish(deps, 'AAA', { epsEstimate: '1.3' });
    await fanOutAll(deps);
    await publish(deps, 'AAA', { epsEstimate: '1.2' });
    expect(await deliverAll(deps)).toEqual([]);
    expect(await deliveryRows(db())).toMatchObject([{ last_error_code: 'no_change' }]);
  });

  test('follows a changed watchlist at once, from the data of that moment', async () => {
    const deps = await world(db(), ['@desk']);
    await publish(deps, 'BBB', { epsEstimate: '1.3' });
    await publish(deps, 'AAA', { epsEstimate: '1.3' });
    await fanOutAll(deps);
    await saveWatchlist(deps, 'ep', { name: 'desk', symbols: ['BBB', 'CCC'] });
    expect(await deliverAll(deps)).toEqual([]);
    expect(await deliveryRows(db())).toMatchObject([{ symbol: 'AAA', state: 'cancelled' }]);
    await publish(deps, 'AAA', { epsEstimate: '1.4' });
    await publish(deps, 'BBB', { date: localDate('2026-11-24') });
    expect(await sentFields(deps)).toEqual({ BBB: ['date'] });
    const list = { customerId: 'cus_ep', name: 'desk' };
    expect(await removeWatchlist(managementOf(deps), list, COMMAND_LINE)).toMatchObject({
      kind: 'conflict',
    });
  });

  test('sends a company once that several sets and its symbol name, until the last of them ends', async () => {
    const deps = await world(db(), ['@desk', '*', 'AAA', 'exchange:nyse']);
    const change = async (epsEstimate: string) => {
      await publish(deps, 'AAA', { epsEstimate });
      return sentFields(deps);
    };
    const one = { AAA: ['epsEstimate'] };
    expect(await change('1.3')).toEqual(one);
    await unsubscribeFrom(deps, 'ep', ['*', 'AAA']);
    expect(await change('1.4')).toEqual(one);
    await saveWatchlist(deps, 'ep', { name: 'desk', symbols: [] });
    expect(await change('1.5')).toEqual(one);
    await unsubscribeFrom(deps, 'ep', ['exchange:nyse']);
    expect(await change('1.6')).toEqual({});
    await subscribeTo(deps, 'ep', ['AAA']);
    expect(await change('1.7')).toEqual(one);
    const listed = await listSubscriptions(db(), { endpointId: 'ep', limit: 9 });
    expect(listed.map(({ symbol }) => symbol)).toEqual(['@desk', 'AAA']);
  });

  test('goes on under the new symbol of a renamed company, without a repetition', async () => {
    for (const set of ['*', '@desk']) {
      const deps = await world(db(), [set]);
      await publish(deps, 'AAA', { epsEstimate: '1.3' });
      await deliverAll(deps);
      await publish(deps, 'AAA', { epsEstimate: '1.4' });
      await fanOutAll(deps);
      const [flight] = await claimAll(deps);
      if (flight === undefined) throw new Error('nothing was claimed');
      await recordOutcomes(deps, [flight], () => respondWith(500));
      await db().query(`update security set symbol = 'NEWA' where id = 'sec_AAA'`);
      await db().query(
        `insert into security_symbol (symbol, security_id) values ('NEWA', 'sec_AAA')`,
      );
      await db().query(
        `update security set symbols = symbols || '[{"symbol": "NEWA", "from": "2026-11-16", "to": null}]'
          where id = 'sec_AAA'`,
      );
      await publish(deps, 'AAA', { date: localDate('2026-11-24'), symbol: 'NEWA' });
      const sent = await sentFields(deps);
      expect([set, sent['NEWA']]).toEqual([set, ['date', 'epsEstimate']]);
    }
  });

  test('goes on if the security of a company on a list gets the id of an earlier symbol', async () => {
    const deps = await world(db(), ['@desk']);
    // The list has the company under the id of its current symbol, before OLDA was known.
    await db().query(`update watchlist_member set security_id = 'sec_LATER'`);
    const former = { symbol: 'OLDA', from: null, to: localDate('2026-10-01') };
    const current = { symbol: 'AAA', from: localDate('2026-10-02'), to: null };
    const earlierId = { id: 'sec_LATER', until: NOW };
    const merged = securityOf('AAA', { symbols: [former, { ...current, earlierId }] });
    await storeRows(db(), { securities: [merged] });
    await publish(deps, 'AAA', { epsEstimate: '1.3' });
    expect(await sentFields(deps)).toEqual({ AAA: ['epsEstimate'] });
    await saveWatchlist(deps, 'ep', { name: 'desk', symbols: ['AAA', 'BBB'] });
    await publish(deps, 'AAA', { epsEstimate: '1.4' });
    await fanOutAll(deps);
    await saveWatchlist(deps, 'ep', { name: 'desk', symbols: ['AAA'] });
    expect(await sentFields(deps)).toEqual({ AAA: ['epsEstimate'] });
  });

  test('sends what changes at midnight without a change record', async () => {
    const clock = fakeClock(NOW);
    const past = eventOf('AAA', { id: 'ern_past', date: localDate('2026-11-07') });
    const deps = { ...(await world(db(), ['*'], [past])), clock };
    await queueDateRollover(deps);
    await clock.advance(24 * HOUR);
    while (await queueDateRollover(deps)) continue;
    expect(await sentFields(deps)).toEqual({ AAA: ['date'] });
  });

  test('tests an endpoint with a company of its sets only', async () => {
    for (const [set, company] of [
      ['*', 'AAA'],
      ['exchange:nasdaq', 'BBB'],
      ['sector:consumer-services', 'AAA'],
      ['@desk', 'AAA'],
    ] as const) {
      const events = SYMBOLS.map((symbol) => eventOf(symbol));
      const deps = await world(db(), [set], events);
      const target = { endpointId: 'ep', templateId: 'earnings_schedule' };
      expect([set, await findTestSymbol(db(), target)]).toEqual([set, company]);
      await unsubscribeFrom(deps, 'ep', [set]);
      expect(await findTestSymbol(db(), target)).toBeNull();
    }
  });

  test('needs one row per set for an endpoint, not one per company', async () => {
    const deps = await world(db(), ['*', 'exchange:nyse']);
    const rows = await db().query(`select kind from webhook_subscription where endpoint_id = 'ep'`);
    expect(rows).toEqual([{ kind: 'set' }, { kind: 'set' }]);
    await publish(deps, 'AAA', { estimateCount: 9 });
    await fanOutAll(deps);
    expect(await memberSymbols(db())).toEqual([]);
  });

  test('reaches every endpoint in several transactions, once each', async () => {
    const deps = await world(db(), ['*']);
    const ids = Array.from({ length: 1_200 }, (_, i) => `w${String(i).padStart(4, '0')}`);
    await db().query(
      `insert into webhook_endpoint (id, customer_id, url, created_at, updated_at)
       select e.id, 'cus_ep', 'https://ep.example/', now(), now() from unnest($1::text[]) as e(id)`,
      [ids],
    );
    await db().query(
      `insert into webhook_subscription (template_id, symbol, endpoint_id, created_at, kind)
       select 'earnings_schedule', '*', e.id, now(), 'set' from unnest($1::text[]) as e(id)`,
      [ids],
    );
    await publish(deps, 'AAA', { epsEstimate: '1.3' });
    let transactions = 1;
    expect(await readChanges(deps)).toEqual({ count: 1, hasMore: true });
    while (await fanOut(deps)) transactions += 1;
    expect(transactions).toBe(2);
    const [count] = await db().query<{ n: number; endpoints: number }>(
      `select count(*)::int4 as n, count(distinct endpoint_id)::int4 as endpoints from delivery`,
    );
    expect(count).toEqual({ n: 1_201, endpoints: 1_201 });
  });

  test('refuses an unknown exchange, sector or watchlist and names those that exist', async () => {
    const deps = await world(db(), ['*']);
    const tryOut = (symbols: string) => {
      const target = { customerId: 'cus_ep', endpointId: 'ep', templateId: 'earnings_schedule' };
      return subscribe(managementOf(deps), { ...target, symbols }, COMMAND_LINE);
    };
    expect(await tryOut('exchange:nowhere')).toMatchObject({
      kind: 'invalid',
      detail: 'use one of exchange:nasdaq, exchange:nyse',
    });
    expect(await tryOut('sector:nothing')).toMatchObject({
      detail: 'use one of sector:consumer-services',
    });
    expect(await tryOut('@no-such-list')).toEqual({
      kind: 'unknown-watchlist',
      name: 'no-such-list',
    });
    expect(await tryOut('*')).toMatchObject({ added: 0, standing: 1 });
  });
});

const SYMBOLS = ['AAA', 'BBB', 'CCC'];

/**
 * An endpoint `ep` that is subscribed to these sets and up to date. AAA is on the NYSE, in the
 * sector Consumer Services and on the watchlist `desk`. The others are on Nasdaq.
 */
async function world(
  db: Db,
  sets: readonly string[],
  events: readonly EarningsEvent[] = [],
): Promise<EngineDeps> {
  await emptyStore(db);
  const deps = engineDeps(db, fakeClock(NOW));
  await addEndpoint(db, 'ep');
  await addCompanies(db, SYMBOLS);
  for (const symbol of SYMBOLS) {
    await addCompany(db, symbol, { exchange: symbol === 'AAA' ? 'NYSE' : 'NASDAQ' });
  }
  await storeRows(db, { events });
  await db.query(
    `insert into profile (security_id, symbol, fields, provenance, updated_at, known_from)
     values ('sec_AAA', 'AAA', '{"sector": "Consumer Services"}', '{}', now(), now())`,
  );
  await saveWatchlist(deps, 'ep', { name: 'desk', symbols: ['AAA'] });
  await subscribeTo(deps, 'ep', sets);
  await fanOutAll(deps);
  return deps;
}

async function addCompany(db: Db, symbol: string, { exchange }: { exchange: string }) {
  await storeRows(db, { securities: [securityOf(symbol, { exchange })] });
}

/** Returns the changed fields of everything that is sent now, by symbol. */
async function sentFields(deps: EngineDeps): Promise<Record<string, string[]>> {
  const sent = await deliverAll(deps);
  const fields = Object.fromEntries(
    sent.map(({ context, changed_fields: changed }) => [context.symbol, changed]),
  );
  if (Object.keys(fields).length !== sent.length) throw new Error('a company was sent twice');
  return fields;
}

async function memberSymbols(db: Db): Promise<string[]> {
  const rows = await db.query<{ symbol: string }>(
    `select symbol from webhook_subscription where kind = 'member' order by symbol`,
  );
  return rows.map(({ symbol }) => symbol);
}
