/** The topic that becomes stale when any bar or split changes. */
export const ANY_BARS_TOPIC = 'bars';
/** The topic that becomes stale when too many bars change to publish a topic for each symbol. */
export const ALL_BARS_TOPIC = 'bars:all';

const SYMBOL_TOPICS_MAX = 50;

/**
 * Returns a topic that becomes stale when the symbol's bars or splits change. Readers should also
 * subscribe to `ALL_BARS_TOPIC`.
 */
export function barsTopicOf(symbol: string): string {
  return `bars:symbol:${symbol}`;
}

/** Returns the topics that become stale when the bars for these symbols change. */
export function barTopics(symbols: readonly string[]): string[] {
  const distinct = [...new Set(symbols)];
  if (distinct.length > SYMBOL_TOPICS_MAX) return [ANY_BARS_TOPIC, ALL_BARS_TOPIC];
  return [ANY_BARS_TOPIC, ...distinct.map(barsTopicOf)];
}
