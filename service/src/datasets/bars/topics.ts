import { defineTopics, keyedTopic, type TopicIn } from '../topic.ts';

export const topics = defineTopics({
  /** Any bar or split changed. */
  any: 'bars',
  /** Too many bars changed to publish a topic for each symbol. */
  all: 'bars:all',
  /** The symbol's bars or splits changed. Readers also declare `all`. */
  symbol: keyedTopic('bars:symbol'),
});

const SYMBOL_TOPICS_MAX = 50;

/** Returns the topics that become stale when the bars for these symbols change. */
export function barTopics(symbols: readonly string[]): TopicIn<typeof topics>[] {
  const distinct = [...new Set(symbols)];
  if (distinct.length > SYMBOL_TOPICS_MAX) return [topics.any, topics.all];
  return [topics.any, ...distinct.map(topics.symbol)];
}
