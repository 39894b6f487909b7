import { defineTopics, keyedTopic } from '../topic.ts';

export const topics = defineTopics({
  date: keyedTopic('earnings:date'),
  symbol: keyedTopic('earnings:symbol'),
  event: keyedTopic('earnings:event'),
});
