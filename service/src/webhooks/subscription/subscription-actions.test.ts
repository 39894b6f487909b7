import { expect, test } from 'vitest';
import { TESTER } from '../../../test/support/account-world.ts';
import { onEachEngine } from '../../../test/support/each-engine.ts';
import { addEndpoint, webhookWorld } from '../../../test/support/webhook-fixtures.ts';
import { listAuditEvents } from '../../accounts/audit-log.ts';
import { subscribe, SYMBOLS_MAX, unsubscribe } from './subscription-actions.ts';
import { listSubscriptions } from './subscription-list.ts';

const SCHEDULE = { templateId: 'earnings_schedule' };

onEachEngine((db) => {
  test('subscribes once to each symbol in a pasted list, with current data', async () => {
    const deps = webhookWorld(db(), new Map([['ACME', '{"date":"2026-11-24","eps":null}']]));
    const of = await addEndpoint(deps, 'A');
    const symbols = 'acme, $BRK/B;\n"zzz"\tACME 123 !!';
    expect(await subscribe(deps, { ...of, ...SCHEDULE, symbols }, TESTER)).toMatchObject({
      kind: 'subscribed',
      added: 3,
      standing: 0,
      refused: ['123', '!!'],
      unknown: ['ACME', 'BRK.B', 'ZZZ'],
      repeated: ['ACME'],
    });
    const again = await subscribe(deps, { ...of, ...SCHEDULE, symbols: ['ZZZ', 'NEW'] }, TESTER);
    expect(again).toMatchObject({ added: 1, standing: 1 });
    const { endpointId } = of;
    const listed = await listSubscriptions(deps.db, { endpointId, limit: 10 });
    expect(listed.map(({ symbol }) => symbol)).toEqual(['ACME', 'BRK.B', 'NEW', 'ZZZ']);
    const after = { ...SCHEDULE, symbol: 'BRK.B' };
    const page = await listSubscriptions(deps.db, { endpointId, after, limit: 1 });
    expect(page.map(({ symbol }) => symbol)).toEqual(['NEW']);
    const known = 'select answered_data as data from webhook_subscription order by symbol';
    expect((await deps.db.query(known)).map(({ data }) => data)).toEqual([
      '{"date":"2026-11-24","eps":null}',
      null,
      null,
      null,
    ]);
    expect(await deps.db.query('select id from delivery')).toEqual([]);
  });

  test('treats an array element with a space as one symbol if it is a valid symbol as a whole', async () => {
    const deps = webhookWorld(db());
    const of = await addEndpoint(deps, 'A');
    const symbols = ['BRK B', '"bf b"', 'ACME ZZZ', 'US: NRTH'];
    const told = await subscribe(deps, { ...of, ...SCHEDULE, symbols }, TESTER);
    const unknown = ['ACME', 'BF.B', 'BRK.B', 'NRTH', 'ZZZ'];
    expect(told).toMatchObject({ added: 5, unknown, refused: [] });
  });

  test('returns the result of a subscription preview without changing anything', async () => {
    const deps = webhookWorld(db());
    const of = await addEndpoint(deps, 'A');
    await subscribe(deps, { ...of, ...SCHEDULE, symbols: 'A B' }, TESTER);
    const { endpointId, customerId } = of;
    const before = await listAuditEvents(deps.db, { customerId, limit: 10 });
    const asked = { ...of, ...SCHEDULE, symbols: 'B C 123', isPreview: true };
    expect(await subscribe(deps, asked, TESTER)).toEqual({
      kind: 'subscribed',
      added: 1,
      standing: 1,
      unknown: ['B', 'C'],
      repeated: [],
      refused: ['123'],
    });
    const listed = await listSubscriptions(deps.db, { endpointId, limit: 10 });
    expect(listed.map(({ symbol }) => symbol)).toEqual(['A', 'B']);
    expect(await listAuditEvents(deps.db, { customerId, limit: 10 })).toEqual(before);
  });

  test('delivers only the remaining symbols after others are unsubscribed', async () => {
    const deps = webhookWorld(db());
    const of = await addEndpoint(deps, 'A');
    await subscribe(deps, { ...of, ...SCHEDULE, symbols: 'A B C' }, TESTER);
    const ended = await unsubscribe(deps, { ...of, ...SCHEDULE, symbols: 'B Z' }, TESTER);
    expect(ended).toMatchObject({ kind: 'unsubscribed', removed: 1, refused: [] });
    const { endpointId, customerId } = of;
    const left = await listSubscriptions(deps.db, { endpointId, limit: 10 });
    expect(left.map(({ symbol }) => symbol)).toEqual(['A', 'C']);
    const events = await listAuditEvents(deps.db, { customerId, limit: 2 });
    expect(events.map(({ action: act, details }) => [act, details])).toEqual([
      ['webhook.unsubscribe', { ...SCHEDULE, removed: 1, symbols: ['B', 'Z'] }],
      ['webhook.subscribe', { ...SCHEDULE, added: 3, symbols: ['A', 'B', 'C'] }],
    ]);
  });

  test('limits an endpoint to five thousand symbols', async () => {
    const deps = webhookWorld(db());
    const of = await addEndpoint(deps, 'A');
    const names = Array.from({ length: SYMBOLS_MAX }, (_, at) => nameOf(at));
    const many = await subscribe(deps, { ...of, ...SCHEDULE, symbols: names }, TESTER);
    expect(many).toMatchObject({ added: SYMBOLS_MAX });
    const known = await subscribe(deps, { ...of, ...SCHEDULE, symbols: names.slice(0, 9) }, TESTER);
    expect(known).toMatchObject({ added: 0, standing: 9 });
    const one = await subscribe(deps, { ...of, ...SCHEDULE, symbols: 'ONEMORE' }, TESTER);
    expect(one).toMatchObject({ kind: 'over-limit' });
  });

  test.each([
    ['no_such_template', 'ACME', 'templateId', 'earnings_schedule'],
    ['earnings_schedule', ' , ', 'symbols', 'at least one'],
    ['earnings_schedule', '123 !!', 'symbols', 'at least one'],
  ])(
    'rejects template %s with symbols "%s" and explains how to fix it',
    async (templateId, symbols, parameter, said) => {
      const deps = webhookWorld(db());
      const of = await addEndpoint(deps, 'A');
      for (const act of [subscribe, unsubscribe]) {
        const outcome = await act(deps, { ...of, templateId, symbols }, TESTER);
        const detail = expect.stringContaining(said) as string;
        expect(outcome).toEqual({ kind: 'invalid', parameter, detail });
      }
    },
  );
});

/** Encodes a number as a five-letter symbol. */
function nameOf(number: number): string {
  const digits = number.toString().padStart(5, '0');
  return [...digits].map((digit) => 'ABCDEFGHIJ'.charAt(Number(digit))).join('');
}
