/** Stale when any bar or split changes. */
export const ANY_BARS_TOPIC = 'bars';
/** Stale when more bars change than are published per symbol. */
export const ALL_BARS_TOPIC = 'bars:all';

const SYMBOL_TOPICS_MAX = 50;

/** Stale when the bars or splits of the symbol change. Subscribe to `ALL_BARS_TOPIC` too. */
export function barsTopicOf(symbol: string): string {
  return `bars:symbol:${symbol}`;
}

/** Topics that are stale after a change of the bars of these symbols. */
export function barTopics(symbols: readonly string[]): string[] {
  const distinct = [...new Set(symbols)];
  if (distinct.length > SYMBOL_TOPICS_MAX) return [ANY_BARS_TOPIC, ALL_BARS_TOPIC];
  return [ANY_BARS_TOPIC, ...distinct.map(barsTopicOf)];
}
