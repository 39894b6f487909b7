import { defineTopics, keyedTopic } from '../topic.ts';

export const topics = defineTopics({
  /** The company's profile or newest quote changed. */
  symbol: keyedTopic('profile'),
  /** Any company's share count changed, from which market caps are computed. */
  shares: 'shares',
  /**
   * Any company's name, former name, filer, exchange or type changed. Searches show them, and some
   * lists exclude certain types.
   */
  namesAndKinds: 'names-and-kinds',
});
