import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { emptyStore, memoryStore } from '../../../test/support/stores.ts';
import type { Redistribution } from '../../providers/provider.ts';
import type { Db } from '../../storage/db.ts';
import { redistributionNote, termsLines } from './terms-note.ts';

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

describe('note about redistribution', () => {
  test('shows the redistribution note once for restricted sources', async () => {
    const note = await redistributionNote(db, [PERSONAL, KEYED, PUBLIC]);
    expect(note).toContain('The terms of personal do not grant redistribution');
    expect(note).toContain('from keyed requires a contract');
    expect(note).toContain('LICENSED_SOURCES_ONLY=true');
    expect(await redistributionNote(db, [KEYED, PERSONAL])).toBe('');
  });

  test('shows the redistribution note again when a restricted source is added', async () => {
    await redistributionNote(db, [KEYED]);
    expect(await redistributionNote(db, [KEYED, PERSONAL])).toContain('personal');
  });

  test('never shows the redistribution note for unrestricted sources', async () => {
    expect(await redistributionNote(db, [PUBLIC, source('sandbox', 'synthetic')])).toBe('');
    expect(await redistributionNote(db, [])).toBe('');
  });
});

test('lists the terms and their URL for each real source', () => {
  const lines = termsLines([
    { ...PERSONAL, termsUrl: 'https://personal.example/terms' },
    source('sandbox', 'synthetic'),
  ]);
  expect(lines).toBe('personal (not-granted): Terms of personal. https://personal.example/terms\n');
});
