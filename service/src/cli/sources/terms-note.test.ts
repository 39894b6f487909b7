import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { emptyStore, memoryStore } from '../../../test/support/stores.ts';
import type { Redistribution } from '../../providers/provider.ts';
import type { Db } from '../../storage/db.ts';
import { firstNote, termsLines } from './terms-note.ts';

let db: Db;

beforeAll(async () => {
  db = await memoryStore();
});

beforeEach(() => emptyStore(db));

afterAll(() => db.close());

function source(name: string, redistribution: Redistribution) {
  return { name, redistribution, terms: `Terms of ${name}.` };
}

const PERSONAL = source('personal', 'not-granted');
const KEYED = source('keyed', 'with-contract');
const PUBLIC = source('public', 'public-domain');

describe('the note on what may not be shown', () => {
  test('comes with the first start of such sources, and not again', async () => {
    const note = await firstNote(db, [PERSONAL, KEYED, PUBLIC]);
    expect(note).toContain('The terms of personal grant nobody the right');
    expect(note).toContain('keyed: only with a contract');
    expect(note).toContain('LICENSED_SOURCES_ONLY=true');
    expect(await firstNote(db, [KEYED, PERSONAL])).toBe('');
  });

  test('comes again when another such source joins', async () => {
    await firstNote(db, [KEYED]);
    expect(await firstNote(db, [KEYED, PERSONAL])).toContain('personal');
  });

  test('does not come for data that all may be shown', async () => {
    expect(await firstNote(db, [PUBLIC, source('sandbox', 'synthetic')])).toBe('');
    expect(await firstNote(db, [])).toBe('');
  });
});

test('the terms of each real source stand in a line, with where to read them', () => {
  const lines = termsLines([
    { ...PERSONAL, termsUrl: 'https://personal.example/terms' },
    source('sandbox', 'synthetic'),
  ]);
  expect(lines).toBe('personal (not-granted): Terms of personal. https://personal.example/terms\n');
});
