import type { EarningsReaction } from '../api/reads.gen.ts';

export interface ReactionSummary {
  /** Mean of the sizes of the first sessions' moves, in percentage points. */
  averageMove: number | null;
  /** Reports whose first session is over and has prices. */
  measured: number;
  rose: number;
  /** EPS above the estimate, of those with both. */
  beats: number;
  judged: number;
}

/** How the price took the reports, in a few figures. */
export function summaryOf(reactions: readonly EarningsReaction[]): ReactionSummary {
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
