import { createSandbox } from '../providers/sandbox/index.ts';
import { readSandboxOptions, type SandboxOptions } from '../providers/sandbox/settings.ts';
import type { Answer, Provider } from '../providers/provider.ts';
import type { Clock } from '../platform/clock.ts';
import type { Instant } from '../platform/instant.ts';
import type { Log } from '../platform/log.ts';
import { providers } from '../providers/registry.gen.ts';
import { StoreKindError, type StoreKind } from './store-kind.ts';
import { claimMarker } from '../storage/marker.ts';
import type { Db } from '../storage/db.ts';
import type { Settings } from '../config/settings.ts';

const NOTE_INTERVAL_MS = 10_000;

type SourcesSettings = Pick<Settings, 'sources' | 'replay' | 'sourceSettings'>;

/**
 * The sources of this start. Without sources and recordings that is the sandbox, of the size and
 * seed of its settings; a replay asks nobody.
 */
export function configuredSources(
  settings: SourcesSettings,
  kind: StoreKind,
  deps: { clock: Clock; log: Log },
): Provider[] {
  if (kind === 'sandbox') return [noted(createSandbox(sandboxOptionsOf(settings)), deps)];
  if (settings.replay !== null) return [];
  return providers.filter(({ name }) => settings.sources.includes(name));
}

/**
 * A store shows one simulated market for life: rows of another size or seed would contradict those
 * it has. Throws StoreClaimError when it was filled with another.
 */
export async function claimSandbox(db: Db, settings: SourcesSettings): Promise<void> {
  const wanted = describe(sandboxOptionsOf(settings));
  const stands = await claimMarker(db, 'sandbox', wanted);
  if (stands === wanted) return;
  throw new StoreKindError(
    `this store holds the simulated market of ${stands}, not of ${wanted}: set SANDBOX_SYMBOLS, ` +
      'SANDBOX_YEARS and SANDBOX_SEED as they were, or use another DATA_DIR or database',
  );
}

function sandboxOptionsOf({ sourceSettings }: SourcesSettings): SandboxOptions {
  return readSandboxOptions((name) => sourceSettings.get(name));
}

function describe({ companies, years, seed }: SandboxOptions): string {
  const span = years === null ? 'months' : `${years} years`;
  return `${companies} companies, ${span} of bars, seed ${seed}`;
}

/** Says from time to time how far the first fill is: a large market takes minutes. */
function noted(provider: Provider, { clock, log }: { clock: Clock; log: Log }): Provider {
  const { answers } = provider;
  if (answers === undefined) return provider;
  function* watched(from: Instant | null, to: Instant): Generator<Answer> {
    const startedAtMs = clock.monotonicMs();
    let notedAtMs = startedAtMs;
    let count = 0;
    for (const answer of answers?.(from, to) ?? []) {
      yield answer;
      count++;
      const nowMs = clock.monotonicMs();
      if (nowMs - notedAtMs < NOTE_INTERVAL_MS) continue;
      notedAtMs = nowMs;
      const seconds = Math.round((nowMs - startedAtMs) / 1000);
      log.info(
        { answers: count, seconds, at: answer.path },
        'The simulated market is being filled in.',
      );
    }
    if (notedAtMs > startedAtMs) log.info({ answers: count }, 'The simulated market is complete.');
  }
  return { ...provider, answers: watched };
}
