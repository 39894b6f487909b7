import { defineTopics } from '../topic.ts';

export const topics = defineTopics({
  /** The market calendar of any day changed. */
  any: 'market-overrides',
});
