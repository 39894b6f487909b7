import { join } from 'node:path';
import { findPlan } from '../accounts/plans/plan-store.ts';
import type { Settings } from '../config/settings.ts';
import { readSandboxOptions, type SandboxOptions } from '../providers/sandbox/settings.ts';
import type { Db, Queryable } from '../storage/db.ts';
import { claimMarker, readMarker, setMarker } from '../storage/marker.ts';

/** A store holds simulated or real data for its whole life, never both. */
export type StoreKind = 'sandbox' | 'live';

/** The store does not fit the settings of this start. The message says how to fix it. */
export class StoreKindError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'StoreKindError';
  }
}

/** Each kind of embedded store has its own folder in `DATA_DIR`. */
export function storeFolder(dataDir: string, kind: StoreKind): string {
  return join(dataDir, kind);
}

/** The kind of store a start opens: live with real sources or a replay, otherwise the sandbox. */
export function startKind(settings: Pick<Settings, 'sources' | 'replay'>): StoreKind {
  const hasSources = settings.sources.some((name) => name !== 'sandbox');
  return hasSources || settings.replay !== null ? 'live' : 'sandbox';
}

/** The kind recorded in the store; for an empty store, the kind this start gives it. */
export async function currentKind(
  db: Db,
  settings: Pick<Settings, 'sources' | 'replay'>,
): Promise<StoreKind> {
  const recorded = await readMarker(db, 'kind');
  return recorded === 'live' || recorded === 'sandbox' ? recorded : startKind(settings);
}

/**
 * Records the kind of the store for life. A store written on a shifted clock must stay on one,
 * because its versions would otherwise lie in the future. Throws `StoreKindError`.
 */
export async function claimStoreKind(
  db: Db,
  kind: StoreKind,
  settings: Pick<Settings, 'now'>,
): Promise<void> {
  const recorded = await claimMarker(db, 'kind', kind);
  if (recorded !== kind) {
    throw new StoreKindError(
      `this store holds ${recorded} data and cannot also hold ${kind} data: use another DATA_DIR ` +
        'or database',
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

/**
 * Records the simulated market of a sandbox for life: rows of another size or seed would contradict
 * the stored ones. Throws `StoreKindError` if the store holds another market.
 */
export async function claimSandbox(
  db: Db,
  settings: Pick<Settings, 'sourceSettings'>,
): Promise<void> {
  const market = describeMarket(sandboxOptions(settings));
  const recorded = await claimMarker(db, 'sandbox', market);
  if (recorded === market) return;
  throw new StoreKindError(
    `this store holds the simulated market of ${recorded}, not of ${market}: set SANDBOX_SYMBOLS, ` +
      'SANDBOX_YEARS and SANDBOX_SEED as before, or use another DATA_DIR or database',
  );
}

/** Size and seed of the simulated market, from the settings. */
export function sandboxOptions({
  sourceSettings,
}: Pick<Settings, 'sourceSettings'>): SandboxOptions {
  return readSandboxOptions((name) => sourceSettings.get(name));
}

function describeMarket({ companies, years, seed }: SandboxOptions): string {
  const span = years === null ? 'months' : `${years} years`;
  return `${companies} companies, ${span} of bars, seed ${seed}`;
}

/**
 * Stops the start if SIGN_UP_PLAN names no plan: people signing up could not fix that. Throws
 * `StoreKindError`.
 */
export async function requireSignUpPlan(db: Queryable, name: string | null): Promise<void> {
  if (name === null || (await findPlan(db, name)) !== null) return;
  throw new StoreKindError(
    `SIGN_UP_PLAN is ${name}, but there is no plan with that name: npx afterbell plans list shows ` +
      'the plans',
  );
}
