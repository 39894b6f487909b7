import { expect, test } from 'vitest';
import { useWebhookManagement } from '../../../test/support/webhook-management.ts';

const world = useWebhookManagement();
const PATH = '/account/v1/sandbox/changes';
const BODY = { symbol: 'acme', field: 'date' };

test('returns the value of the field before and after the change', async () => {
  const { status, json } = await world.call('POST', PATH, BODY);
  expect([status, json]).toEqual([
    201,
    { symbol: 'ACME', field: 'date', reportId: 'ern_1', before: '2026-11-24', after: '2026-11-25' },
  ]);
});

test('rejects an unknown company, another field, and more than ten changes a minute', async () => {
  const rejections = [
    { ...BODY, symbol: 'NONE' },
    { ...BODY, symbol: '1' },
    { ...BODY, field: 'eps' },
  ];
  for (const body of rejections) expect((await world.call('POST', PATH, body)).status).toBe(400);
  // A rejected change is none, so it does not count.
  for (let made = 0; made < 10; made += 1) {
    expect((await world.call('POST', PATH, BODY)).status).toBe(201);
  }
  expect((await world.call('POST', PATH, BODY)).status).toBe(429);
});

test('explains why a final estimate does not change', async () => {
  const { status, json } = await world.call('POST', PATH, { symbol: 'DONE', field: 'epsEstimate' });
  expect([status, json['detail']]).toEqual([409, expect.stringContaining('has just reported')]);
});

test('refuses to change real data', async () => {
  const { deps } = world.management;
  const { changeSandbox } = deps;
  deps.changeSandbox = null;
  const { status, json } = await world.call('POST', PATH, BODY);
  deps.changeSandbox = changeSandbox;
  expect([status, json.code]).toEqual([409, 'conflict']);
});
