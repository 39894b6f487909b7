import type { StoreKind } from '../../app/store-kind.ts';

export interface StoreLocationFacts {
  /** The command line said `--sandbox`. */
  isSandboxAsked: boolean;
  /** Real sources are configured, so a start would open the live store. */
  isLiveConfigured: boolean;
  /** Which stores exist under the data folder. */
  exists: Readonly<Record<StoreKind, boolean>>;
  /** Which of them a running service holds. */
  isServed: Readonly<Record<StoreKind, boolean>>;
}

/**
 * Which embedded store a command means when nothing but the settings say so. In this order:
 * `--sandbox`; real sources in the settings, so live; the one a running service holds; the one that
 * exists; with two of them, live, and `note` says so on stderr; with none, the sandbox, as a plain
 * start would make.
 */
export function chooseStore(facts: StoreLocationFacts): { kind: StoreKind; note: string | null } {
  const { exists, isServed } = facts;
  if (facts.isSandboxAsked) return { kind: 'sandbox', note: null };
  if (facts.isLiveConfigured) return { kind: 'live', note: null };
  if (isServed.live !== isServed.sandbox) {
    return { kind: isServed.live ? 'live' : 'sandbox', note: null };
  }
  if (exists.live && exists.sandbox) return { kind: 'live', note: NOTE_BOTH };
  return { kind: exists.live ? 'live' : 'sandbox', note: null };
}

const NOTE_BOTH =
  'There is a live and a sandbox store; this is about the live one (--sandbox for the other).';
