import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  type Management,
  type Reply,
  startManagement,
} from '../../../test/support/management-server.ts';
import { emptyStore, memoryStore } from '../../../test/support/stores.ts';
import type { SecondFactorRule } from '../../accounts/permissions.ts';
import { fromBase32, totpCode, totpStep } from '../../accounts/second-factor/totp.ts';
import type { Db } from '../../storage/db.ts';

type Headers = Record<string, string>;

let db: Db;
beforeAll(async () => {
  db = await memoryStore();
});
beforeEach(() => emptyStore(db));
afterAll(() => db.close());

async function world(secondFactorRule: SecondFactorRule) {
  const management = await startManagement(db, { secondFactorRule });
  const customerId = await management.customer(`Grey Heron ${secondFactorRule}`);
  const people = {
    operator: await management.person('operator', null),
    owner: await management.person('owner', customerId),
    member: await management.person('member', customerId),
  };
  return { management, people, program: await management.program(customerId) };
}

const get = (management: Management, path: string, headers: Headers): Promise<Reply> =>
  management.call('GET', `/account/v1/${path}`, { headers });

describe('REQUIRE_SECOND_FACTOR', () => {
  test.each([
    ['off', [200, 200, 200]],
    ['operators', [403, 200, 200]],
    ['everyone', [403, 403, 403]],
  ] as const)('%s refuses people without a second factor with %j', async (rule, expected) => {
    const { management, people, program } = await world(rule);
    const calls = [
      await management.call('GET', '/operator/v1/plans', { headers: people.operator.headers }),
      await get(management, 'keys', people.owner.headers),
      await get(management, 'keys', people.member.headers),
    ];
    expect(calls.map(({ status }) => status)).toEqual(expected);
    for (const { status, json } of calls) {
      if (status === 403) expect(json['code']).toBe('second-factor-required');
    }
    const sessions = await Promise.all(
      Object.values(people).map(({ headers }) => get(management, 'session', headers)),
    );
    expect(sessions.map(({ json }) => json['mustAddSecondFactor'])).toEqual(
      expected.map((status) => status === 403),
    );
    // Programs have no second factor.
    expect((await get(management, 'keys', program.headers)).status).toBe(200);
    await management.stop();
  });

  test('lets a person in once they have set it up, and not after they removed it', async () => {
    const { management, people } = await world('everyone');
    const { headers } = people.owner;
    const post = (path: string, body?: unknown) =>
      management.call('POST', `/account/v1/${path}`, { headers, body });
    const begun = await post('second-factor');
    const codeNow = () =>
      totpCode(fromBase32(String(begun.json['secret'])), totpStep(management.clock.now()));
    expect((await get(management, 'keys', headers)).status).toBe(403);
    expect((await post('second-factor/confirm', { code: codeNow() })).status).toBe(200);
    expect((await get(management, 'keys', headers)).status).toBe(200);
    await management.clock.advance(60_000);
    expect((await post('second-factor/remove', { code: codeNow() })).status).toBe(204);
    expect((await get(management, 'keys', headers)).status).toBe(403);
    await management.stop();
  });
});
