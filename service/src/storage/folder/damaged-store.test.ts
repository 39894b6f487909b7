import { cpSync, mkdtempSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openStore } from '../open-store.ts';

const parent = mkdtempSync(join(tmpdir(), 'afterbell-damage-'));
const intact = join(parent, 'intact');
const folder = join(parent, 'live');

beforeAll(async () => {
  const db = await openStore({ folder: intact, syncs: false });
  await db.close();
});
afterAll(() => rmSync(parent, { recursive: true }));

/** Each damages the engine's folder `pg`. The text must be in the message. */
const DAMAGE: [damage: string, reason: string, apply: (pg: string) => void][] = [
  [
    'a zeroed pg_control',
    'PG_CONTROL_VERSION 0',
    (pg) => writeFileSync(join(pg, 'global/pg_control'), Buffer.alloc(8_192)),
  ],
  ['no pg_control', 'global/pg_control', (pg) => rmSync(join(pg, 'global/pg_control'))],
  ['an empty pg_control', 'read 0 of', (pg) => truncateSync(join(pg, 'global/pg_control'))],
  [
    'an empty PG_VERSION',
    'PG_VERSION" does not contain valid data',
    (pg) => truncateSync(join(pg, 'PG_VERSION')),
  ],
  [
    'a PG_VERSION of another release',
    'PostgreSQL version 16',
    (pg) => writeFileSync(join(pg, 'PG_VERSION'), '16\n'),
  ],
  ['no PG_VERSION', 'PG_VERSION is missing', (pg) => rmSync(join(pg, 'PG_VERSION'))],
  ['no folder base', 'base/5" is missing', (pg) => rmSync(join(pg, 'base'), { recursive: true })],
  ['no folder pg_xact', 'pg_xact', (pg) => rmSync(join(pg, 'pg_xact'), { recursive: true })],
  ['no folder pg_wal', 'pg_wal', (pg) => rmSync(join(pg, 'pg_wal'), { recursive: true })],
  ['a table file cut in half', 'base/5/1255', (pg) => cutInHalf(join(pg, 'base/5/1255'))],
];

test.each(DAMAGE)(
  'reports %s with the folder, the reason and the way to restore the newest backup',
  async (_, reason, apply) => {
    rmSync(folder, { recursive: true, force: true });
    cpSync(intact, folder, { recursive: true });
    apply(join(folder, 'pg'));
    writeFileSync(`${folder}.before-0019.tar`, '');
    const error = await openStore({ folder, syncs: false }).catch((caught: unknown) => caught);
    expect(error).toMatchObject({ name: 'StoreDamagedError' });
    const message = String(error);
    expect(message).toContain(`The embedded store in ${folder} is damaged: `);
    expect(message).toContain(reason);
    expect(message).toContain(
      `afterbell restore ${folder}.before-0019.tar --data-dir ${parent}. This is the newest`,
    );
    expect(message).not.toContain('/pglite/');
  },
);

function cutInHalf(file: string): void {
  truncateSync(file, Math.floor(statSync(file).size / 2 / 8_192) * 8_192);
}
