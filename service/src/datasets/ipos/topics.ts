import { defineTopics } from '../topic.ts';

export const topics = defineTopics({
  /** Any offering was added or changed. */
  any: 'ipos',
});
