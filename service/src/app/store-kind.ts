import { join } from 'node:path';
import type { Settings } from '../config/settings.ts';
import type { Db } from '../storage/db.ts';
import { claimMarker, readMarker, setMarker } from '../storage/marker.ts';

/** A store holds fictional or real rows for life, never both. */
export type StoreKind = 'sandbox' | 'live';

/** This store is for something else; the message says what to do. */
export class StoreKindError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'StoreClaimError';
  }
}

/** Each kind of embedded store has its own folder under `DATA_DIR`. */
export function storeFolder(dataDir: string, kind: StoreKind): string {
  return join(dataDir, kind);
}

/** The store a start opens: live with real sources or recorded answers, else the sandbox. */
export function startKind(settings: {
  sources: readonly string[];
  replay: string | null;
}): StoreKind {
  const hasSources = settings.sources.some((name) => name !== 'sandbox');
  return hasSources || settings.replay !== null ? 'live' : 'sandbox';
}

/** What the store is already, else what a start with these settings makes of an empty one. */
export async function currentKind(
  db: Db,
  settings: Parameters<typeof startKind>[0],
): Promise<StoreKind> {
  const stands = await readMarker(db, 'kind');
  return stands === 'live' || stands === 'sandbox' ? stands : startKind(settings);
}

/**
 * Marks a store as what it is for life. One that was written on a shifted clock goes on with one:
 * else its versions would lie in the future. Throws StoreClaimError when it is for something else.
 */
export async function claimStoreKind(
  db: Db,
  kind: StoreKind,
  settings: Pick<Settings, 'now'>,
): Promise<void> {
  const stands = await claimMarker(db, 'kind', kind);
  if (stands !== kind) {
    throw new StoreKindError(
      `this store holds ${stands} data for life, so it cannot take in ${kind} data: ` +
        'use another DATA_DIR or database',
    );
  }
  if (settings.now !== null) await setMarker(db, 'clock', 'shifted');
  else if ((await claimMarker(db, 'clock', 'real')) === 'shifted') {
    throw new StoreKindError(
      'this store was written on a shifted clock: start it with --now (or NOW) again, or use ' +
        'another DATA_DIR',
    );
  }
}
