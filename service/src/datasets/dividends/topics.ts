import { defineTopics } from '../topic.ts';

export const topics = defineTopics({
  /** Any dividend was added or changed. */
  any: 'dividends',
});
