import { join } from 'node:path';
import { findPlan } from '../accounts/plans/plan-store.ts';
import type { Settings } from '../config/settings.ts';
import { readSandboxOptions, type SandboxOptions } from '../providers/sandbox/settings.ts';
import type { Db, Queryable } from '../storage/db.ts';
import { claimMarker, readMarker, setMarker } from '../storage/marker.ts';

/** A store holds either simulated or real data for its whole life, never both. */
export type StoreKind = 'sandbox' | 'live';

/**
 * Thrown if the store does not match the settings used to start the service. The message explains
 * the fix.
 */
export class StoreKindError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'StoreKindError';
  }
}

/** Returns the folder for a kind of embedded store. Each kind has its own folder in `DATA_DIR`. */
export function storeFolder(dataDir: string, kind: StoreKind): string {
  return join(dataDir, kind);
}

/**
 * Returns the kind of store to open at startup: live with real sources or a replay, otherwise the
 * sandbox.
 */
export function startKind(settings: Pick<Settings, 'sources' | 'replay'>): StoreKind {
  const hasSources = settings.sources.some((name) => name !== 'sandbox');
  return hasSources || settings.replay !== null ? 'live' : 'sandbox';
}

/** Returns the kind recorded in the store, or the kind for this startup if the store is empty. */
export async function currentKind(
  db: Db,
  settings: Pick<Settings, 'sources' | 'replay'>,
): Promise<StoreKind> {
  const recorded = await readMarker(db, 'kind');
  return recorded === 'live' || recorded === 'sandbox' ? recorded : startKind(settings);
}

/**
 * Permanently records the kind of the store. Throws `StoreKindError` if the store holds the other
 * kind. Also throws it if a store that was written on a shifted clock is opened without one,
 * because its versions would then lie in the future.
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
 * Permanently records the simulated market of a sandbox, because rows for a different size or seed
 * would contradict the stored ones. Throws `StoreKindError` if the store holds a different market.
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

/** Returns the size and seed of the simulated market from the settings. */
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
 * Throws `StoreKindError` if the plan in SIGN_UP_PLAN does not exist. The service must not start
 * then, because people who sign up could not fix it.
 */
export async function requireSignUpPlan(db: Queryable, name: string | null): Promise<void> {
  if (name === null || (await findPlan(db, name)) !== null) return;
  throw new StoreKindError(
    `SIGN_UP_PLAN is ${name}, but there is no plan with that name: npx afterbell plans list shows ` +
      'the plans',
  );
}
