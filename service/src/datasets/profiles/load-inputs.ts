import type { LocalDate } from '../../domain/local-date.ts';
import { newYorkDate } from '../../domain/new-york.ts';
import type { Instant } from '../../platform/instant.ts';
import type { Queryable } from '../../storage/db.ts';
import { loadHolders } from '../securities/holders.ts';
import { publicIdentity } from '../securities/public-identity.ts';
import { filersOf, type Security } from '../securities/row.ts';
import { filerKey } from '../source-records/entity-keys.ts';
import { loadHistories } from '../source-records/load.ts';
import type { ObservationHistory } from '../source-records/observation-history.ts';
import { publicHistories } from '../source-records/public-time.ts';
import type { ProfileInput } from './derive.ts';
import type { ProfileObservation } from './observation.ts';

/**
 * Loads everything from which the securities' profiles are derived: all of it, or what was public
 * at an instant. For each filer, the list must contain all its securities, so that share classes
 * can be counted.
 */
export async function loadProfileInputs(
  db: Queryable,
  securities: readonly Security[],
  publicAt: Instant | null = null,
): Promise<ProfileInput[]> {
  const histories = await loadByEntityKey(db, securities, publicAt);
  const classes = Map.groupBy(
    securities.filter(({ reports, active }) => reports && active),
    ({ cik }) => cik,
  );
  const holderOf = await loadHolders(db, securities);
  return securities.map((security) => ({
    security: publicAt === null ? security : publicIdentity(security, newYorkDate(publicAt)),
    isOnlyClass: security.cik !== null && (classes.get(security.cik) ?? []).length === 1,
    histories: [
      ...security.symbols.flatMap(({ symbol }) =>
        (histories.get(symbol) ?? []).flatMap((history) => {
          const isHeld = (day: LocalDate, company: string | null): boolean =>
            holderOf(symbol, day, company) === security.id;
          return observationsOfHolder(history, isHeld) ?? [];
        }),
      ),
      ...filersOf(security).flatMap((cik) => histories.get(filerKey(cik)) ?? []),
    ],
  }));
}

/**
 * Returns the observations that name the security's company, or, without a name, that began on days
 * when the symbol belonged to the security; null if there are none. Without a name, a repeated value
 * does not come from a new holder, whose values would be different.
 */
function observationsOfHolder(
  history: ObservationHistory<ProfileObservation>,
  isHeld: (day: LocalDate, company: string | null) => boolean,
): ObservationHistory<ProfileObservation> | null {
  const observations = history.observations.filter(({ at, recordId, fields }, i) => {
    const company = fields.companyName ?? null;
    const isRepeated = recordId === history.observations[i - 1]?.recordId;
    return (company !== null || !isRepeated) && isHeld(newYorkDate(at), company);
  });
  return observations.length === 0 ? null : { ...history, observations };
}

async function loadByEntityKey(
  db: Queryable,
  securities: readonly Security[],
  publicAt: Instant | null,
): Promise<Map<string, ObservationHistory<ProfileObservation>[]>> {
  const entityKeys = securities.flatMap((security) => [
    ...security.symbols.map(({ symbol }) => symbol),
    ...filersOf(security).map(filerKey),
  ]);
  const stored = await loadHistories<ProfileObservation>(db, 'profiles', entityKeys);
  const histories = publicAt === null ? stored : publicHistories(stored, publicAt);
  return Map.groupBy(histories, (history) => history.entityKey);
}
