/** Stale when any bar or split changed. */
export const ANY_BARS_TOPIC = 'bars';
/** Stale when so many bars changed that their symbols are not told one by one. */
export const ALL_BARS_TOPIC = 'bars:all';

const TOLD_ONE_BY_ONE_MAX = 50;

/** Stale when the bars or splits of that symbol changed; to be followed beside `ALL_BARS_TOPIC`. */
export function barsTopicOf(symbol: string): string {
  return `bars:symbol:${symbol}`;
}

/** What a change of the bars of these symbols makes stale. */
export function barTopics(symbols: readonly string[]): string[] {
  const distinct = [...new Set(symbols)];
  if (distinct.length > TOLD_ONE_BY_ONE_MAX) return [ANY_BARS_TOPIC, ALL_BARS_TOPIC];
  return [ANY_BARS_TOPIC, ...distinct.map(barsTopicOf)];
}
