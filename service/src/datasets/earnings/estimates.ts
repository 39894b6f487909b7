import type { Instant } from '../../platform/instant.ts';
import { canonicalJson } from '../source-records/canonical-json.ts';
import {
  latestBefore,
  type Observation,
  type ObservationHistory,
} from '../source-records/observation-history.ts';
import type { Consensus, EpsConsensus, ReportFigures } from './observation.ts';
import { sourceOf } from './release.ts';
import type { EarningsEstimates, FieldSource } from './row.ts';

/** The estimates of a report with their sources. */
export interface ResolvedEstimates {
  estimates: EarningsEstimates | null;
  sources: { 'estimates.eps'?: FieldSource; 'estimates.revenue'?: FieldSource };
  /** Time since which low, high and count have been unchanged; null without estimates. */
  rangeSince: Instant | null;
}

type FiguresHistory = ObservationHistory<ReportFigures>;
type ConsensusField = 'epsConsensus' | 'revenueConsensus';

/**
 * Chooses the estimates in detail: of each figure, those of one source. The source of the consensus
 * itself comes first, so that the range belongs to `epsEstimate` where possible, then the others in
 * order of precedence. Once the report is out, only estimates seen before `freezeAt` count.
 *
 * @param sources All rows of the report, preferred ones first.
 * @param providers The sources of the consensus.
 * @param freezeAt Null before the report.
 */
export function resolveEstimates(
  sources: readonly FiguresHistory[],
  providers: { eps: string | null; revenue: string | null },
  freezeAt: Instant | null,
): ResolvedEstimates {
  const eps = choose(sources, 'epsConsensus', providers.eps, freezeAt);
  const revenue = choose(sources, 'revenueConsensus', providers.revenue, freezeAt);
  if (eps === null && revenue === null) return { estimates: null, sources: {}, rangeSince: null };
  return {
    estimates: {
      eps: eps?.observation.fields.epsConsensus ?? null,
      revenue: revenue?.observation.fields.revenueConsensus ?? null,
    },
    sources: {
      ...(eps !== null && { 'estimates.eps': sourceIn(eps, 'epsConsensus', canonicalJson) }),
      ...(revenue !== null && {
        'estimates.revenue': sourceIn(revenue, 'revenueConsensus', canonicalJson),
      }),
    },
    rangeSince: Math.max(
      ...(eps === null ? [] : [sourceIn(eps, 'epsConsensus', rangeText).seenAt]),
      ...(revenue === null ? [] : [sourceIn(revenue, 'revenueConsensus', rangeText).seenAt]),
    ),
  };
}

/**
 * Returns whether low, high and number of analysts are the same. The mean is left out because it is
 * served as the consensus, where its changes count, and the past means and revisions because they
 * change with the calendar day.
 */
export function isSameRange(a: EarningsEstimates | null, b: EarningsEstimates | null): boolean {
  return (
    maybeRange(a?.eps) === maybeRange(b?.eps) && maybeRange(a?.revenue) === maybeRange(b?.revenue)
  );
}

/** Converts every amount, such as to a different share basis. */
export function convertConsensus(
  consensus: EpsConsensus,
  convert: (amount: string) => string,
): EpsConsensus {
  const maybe = (amount: string | null): string | null =>
    amount === null ? null : convert(amount);
  return {
    ...consensus,
    mean: maybe(consensus.mean),
    low: maybe(consensus.low),
    high: maybe(consensus.high),
    mean7DaysAgo: maybe(consensus.mean7DaysAgo),
    mean30DaysAgo: maybe(consensus.mean30DaysAgo),
    mean60DaysAgo: maybe(consensus.mean60DaysAgo),
    mean90DaysAgo: maybe(consensus.mean90DaysAgo),
  };
}

interface Choice {
  history: FiguresHistory;
  observation: Observation<ReportFigures>;
}

function choose(
  sources: readonly FiguresHistory[],
  field: ConsensusField,
  provider: string | null,
  freezeAt: Instant | null,
): Choice | null {
  const byProvider = Map.groupBy(sources, ({ provider }) => provider);
  const preferred = provider === null ? [] : (byProvider.get(provider) ?? []);
  for (const histories of [preferred, ...byProvider.values()]) {
    const [newest] = histories
      .flatMap((history) => lastConsensus(history, field, freezeAt) ?? [])
      .toSorted((a, b) => b.observation.at - a.observation.at);
    if (newest !== undefined) return newest;
  }
  return null;
}

/** Returns the last value seen before the release; null if there is none. */
function lastConsensus(
  history: FiguresHistory,
  field: ConsensusField,
  freezeAt: Instant | null,
): Choice | null {
  const until = freezeAt ?? Number.POSITIVE_INFINITY;
  const observation = latestBefore(history, until, (fields) => fields[field] !== undefined);
  if (observation === null) return null;
  // Without a capture time it is unknown whether the estimates precede the release.
  return freezeAt !== null && observation.at <= 0 ? null : { history, observation };
}

function sourceIn(
  { history, observation }: Choice,
  field: ConsensusField,
  textOf: (consensus: Consensus) => string,
): FieldSource {
  return sourceOf(history, observation, (fields) => {
    const consensus = fields[field];
    return consensus && textOf(consensus);
  });
}

function maybeRange(consensus: Consensus | null = null): string | null {
  return consensus && rangeText(consensus);
}

function rangeText({ low, high, count }: Consensus): string {
  return canonicalJson([low, high, count]);
}
