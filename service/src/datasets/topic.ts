/** Topic names of one key each, such as a symbol or a day. */
export interface KeyedTopic<Prefix extends string> {
  (key: string): `${Prefix}:${string}`;
  /** Returns the key in a topic of this kind; null for any other topic. */
  keyOf(topic: string): string | null;
}

/**
 * The topics of a data set: names for the reasons why its cached responses become stale. They are
 * stored in the commit log, where processes of another release read them, so they must not change.
 */
export type TopicSet = Readonly<Record<string, string | KeyedTopic<string>>>;

/** All names in a set of topics. */
export type TopicIn<Topics extends TopicSet> = {
  [Name in keyof Topics]: Topics[Name] extends KeyedTopic<infer Prefix>
    ? `${Prefix}:${string}`
    : Topics[Name];
}[keyof Topics];

export function keyedTopic<const Prefix extends string>(prefix: Prefix): KeyedTopic<Prefix> {
  const start = `${prefix}:`;
  return Object.assign((key: string) => `${prefix}:${key}` as const, {
    keyOf: (topic: string) => (topic.startsWith(start) ? topic.slice(start.length) : null),
  });
}

export function defineTopics<const Topics extends TopicSet>(topics: Topics): Topics {
  return topics;
}
