import { addDays, type LocalDate } from '../../domain/local-date.ts';
import { newYorkInstant } from '../../domain/new-york.ts';
import { settleFilings } from '../../domain/settle-filings.ts';
import type { Instant } from '../../platform/instant.ts';
import type { Observation, ObservationHistory } from '../source-records/observation-history.ts';
import { publicHistories, publicSinceObserved } from '../source-records/public-time.ts';
import type {
  EarningsObservation,
  FiledFigure,
  FilingObservation,
  FinancialsObservation,
  PeriodicReport,
} from './observation.ts';

type Acceptances = ReadonlyMap<string, Instant>;

/**
 * Limits companies' observations to what was public at an instant. A results filing and
 * its exhibits were public from its acceptance. A figure in XBRL facts was public from the acceptance of the filing that contains
 * it, or, if that is unknown, from the end of the day on which it was filed. Anything else has no
 * publication time and was public from its observation.
 */
export function publicEarnings(
  histories: readonly ObservationHistory<EarningsObservation>[],
  at: Instant,
): ObservationHistory<EarningsObservation>[] {
  const byEntityKey = Map.groupBy(histories, ({ entityKey }) => entityKey);
  return [...byEntityKey.values()].flatMap((ofEntity) => {
    const acceptances = acceptancesIn(ofEntity);
    return publicHistories(ofEntity, at, (observation) => {
      const { fields } = observation;
      if (fields.kind === 'financials') {
        return viewOfFinancials(observation, fields, acceptances, at);
      }
      const acceptedAt = 'accession' in fields ? acceptances.get(fields.accession) : undefined;
      if (acceptedAt === undefined) return publicSinceObserved(observation, at);
      return acceptedAt > at ? null : { ...observation, at: acceptedAt };
    });
  });
}

/** Returns whether rows of this kind have a publication time of their own. */
export function hasPublicationTime(fields: EarningsObservation): boolean {
  return fields.kind === 'financials' || fields.kind === 'acceptances' || 'accession' in fields;
}

/**
 * Returns the acceptance times of results filings and periodic reports by accession number. If both
 * readings of a source's time are possible, the later one is used, so that nothing is shown too
 * early.
 */
function acceptancesIn(
  histories: readonly ObservationHistory<EarningsObservation>[],
): Map<string, Instant> {
  const all = histories.flatMap(({ observations }) => observations.map(({ fields }) => fields));
  const filings = all.flatMap((fields) => (fields.kind === 'filing' ? [fields] : []));
  const reports = all.flatMap((fields) => (fields.kind === 'acceptances' ? fields.reports : []));
  // Results and periodic reports are filed at different times of the day.
  return new Map([...settled(reports), ...settled(filings)]);
}

function settled(filings: readonly (PeriodicReport | FilingObservation)[]): Map<string, Instant> {
  const byAccession = Map.groupBy(filings, ({ accession }) => accession);
  const acceptances = settleFilings(
    [...byAccession].map(([accession, group]) => ({
      accession,
      filingDate: group.map(({ filingDate }) => filingDate).reduce(earlier),
      coverDate: group.flatMap(coverDateOf).toSorted()[0] ?? null,
      readings: group.map(({ acceptance }) => acceptance),
    })),
  );
  return new Map(
    [...byAccession].map(([accession, group]) => {
      const acceptance = acceptances.get(accession) ?? null;
      const isSure = acceptance !== null && acceptance.confidence !== 'guess';
      return [accession, isSure ? acceptance.at : Math.max(...group.map(latestReading))];
    }),
  );
}

function coverDateOf(filing: PeriodicReport | FilingObservation): LocalDate[] {
  return 'reportDate' in filing && filing.reportDate !== null ? [filing.reportDate] : [];
}

function latestReading({ acceptance }: PeriodicReport | FilingObservation): Instant {
  if ('certain' in acceptance) return acceptance.certain;
  return Math.max(acceptance.ifNewYork, acceptance.ifUtc);
}

function viewOfFinancials(
  observation: Observation<EarningsObservation>,
  fields: FinancialsObservation,
  acceptances: Acceptances,
  at: Instant,
): Observation<EarningsObservation> | null {
  const instants: Instant[] = [];
  const viewOf = (figure: FiledFigure | null | undefined): FiledFigure | null => {
    const view = figure == null ? null : viewOfFigure(figure, acceptances, at);
    if (view === null) return null;
    instants.push(view.publicAt);
    return view.figure;
  };
  const revenue = viewOf(fields.revenue);
  const epsDiluted = viewOf(fields.epsDiluted);
  const epsDilutedYear = viewOf(fields.epsDilutedYear);
  if (revenue === null && epsDiluted === null) return null;
  const figures = { revenue, epsDiluted, epsDilutedYear };
  return { ...observation, at: Math.max(...instants), fields: { ...fields, ...figures } };
}

/**
 * Returns a figure as it was public at an instant: without a later restatement, or null if it had
 * not been filed.
 */
function viewOfFigure(
  figure: FiledFigure,
  acceptances: Acceptances,
  at: Instant,
): { figure: FiledFigure; publicAt: Instant } | null {
  const { filedDate, latestSinceDate, latestFiledDate, accession, knownDate } = figure;
  const acceptedAt = acceptances.get(accession) ?? Infinity;
  const firstAt =
    knownDate === undefined ? Math.min(acceptedAt, endOfDay(filedDate)) : endOfDay(knownDate);
  if (firstAt > at) return null;
  const latestAt = latestSinceDate === filedDate ? firstAt : endOfDay(latestSinceDate);
  if (latestAt > at) {
    const { first: latest } = figure;
    const dates = { latestFiledDate: filedDate, latestSinceDate: filedDate };
    return { figure: { ...figure, latest, ...dates }, publicAt: firstAt };
  }
  // Later filings that repeat the value had not been accepted yet.
  const repeatedDate = endOfDay(latestFiledDate) > at ? latestSinceDate : latestFiledDate;
  return {
    figure: { ...figure, latestFiledDate: repeatedDate },
    publicAt: Math.max(firstAt, latestAt),
  };
}

function endOfDay(date: LocalDate): Instant {
  return newYorkInstant(addDays(date, 1), 0);
}

function earlier(a: LocalDate, b: LocalDate): LocalDate {
  return a < b ? a : b;
}
