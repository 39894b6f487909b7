import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Management, startManagement } from '../../../test/support/management-server.ts';
import { memoryStore } from '../../../test/support/stores.ts';
import type { Db } from '../../storage/db.ts';

let db: Db;
let management: Management;
beforeAll(async () => {
  db = await memoryStore();
  management = await startManagement(db);
});
afterAll(async () => {
  await management.stop();
  await db.close();
});

test('limits the changes of a customer across its keys, but not those of others', async () => {
  const [customerId, otherId] = [await management.customer('A'), await management.customer('B')];
  const programs = [];
  for (let count = 0; count < 4; count++) programs.push(await management.program(customerId));
  const other = await management.program(otherId);
  const rename = (headers: Record<string, string>, id: string) =>
    management.call('PATCH', `/account/v1/keys/${id}`, { headers, body: { name: 'job' } });
  const statuses: number[] = [];
  for (let count = 0; count < 65; count++) {
    for (const { headers, id } of programs) statuses.push((await rename(headers, id)).status);
  }
  // The customer and its keys were recorded in the same minute.
  expect(statuses.filter((status) => status === 204)).toHaveLength(240 - 5);
  expect(statuses.at(-1)).toBe(429);
  expect((await rename(other.headers, other.id)).status).toBe(204);
  await management.clock.advance(60_000);
  const [first] = programs;
  expect((await rename(first?.headers ?? {}, first?.id ?? '')).status).toBe(204);
});
