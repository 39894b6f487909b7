import { defineTopics, keyedTopic } from '../topic.ts';

export const topics = defineTopics({
  date: keyedTopic('economic:date'),
});
