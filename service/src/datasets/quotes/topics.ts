import { defineTopics } from '../topic.ts';

export const topics = defineTopics({
  /** Any quote changed. Calendar days show market caps for many companies. */
  any: 'quotes',
});
