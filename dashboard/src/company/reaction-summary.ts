import type { EarningsReaction } from '../api/reads.gen.ts';

export interface ReactionSummary {
  /** Mean absolute first-session move, in percent. */
  averageMove: number | null;
  /** Reports with prices for their first session. */
  measured: number;
  rose: number;
  /** Reports with EPS above the estimate. */
  beats: number;
  judged: number;
}

/** Summary statistics of the reactions. */
export function summarize(reactions: readonly EarningsReaction[]): ReactionSummary {
  const moves = reactions.flatMap(({ reactions: [first] }) =>
    first === undefined ? [] : [first.priceChange],
  );
  const outcomes = reactions.flatMap(({ eps }) => (eps.outcome === null ? [] : [eps.outcome]));
  const sum = moves.reduce((total, move) => total + Math.abs(move), 0);
  return {
    averageMove: moves.length === 0 ? null : sum / moves.length,
    measured: moves.length,
    rose: moves.filter((move) => move > 0).length,
    beats: outcomes.filter((outcome) => outcome === 'beat').length,
    judged: outcomes.length,
  };
}
