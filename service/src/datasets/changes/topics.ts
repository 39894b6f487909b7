import { defineTopics } from '../topic.ts';

export const topics = defineTopics({
  /** Any change was recorded. */
  any: 'changes',
});
