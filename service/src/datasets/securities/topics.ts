import { defineTopics, keyedTopic } from '../topic.ts';

export const topics = defineTopics({
  /** Any security was added, changed or removed. */
  any: 'symbols',
  symbol: keyedTopic('security'),
});
