/**
 * Which documents of docs/ are served as guides, in the order in which they are listed. A name that
 * has no file is left out, so that a guide can be announced here before it is written.
 */
export const GUIDE_GROUPS: readonly { group: string; names: readonly string[] }[] = [
  { group: 'Begin', names: ['first-answer', 'sources-and-terms'] },
  {
    group: 'Use the data',
    names: ['webhooks', 'following-changes', 'time-travel', 'quotas', 'errors'],
  },
  {
    group: 'Run it',
    names: [
      'self-hosting',
      'keys-and-people',
      'management-api',
      'ingest',
      'backup-and-restore',
      'metrics',
      'scaling',
    ],
  },
  {
    group: 'Look up',
    names: ['settings', 'providers', 'reliability', 'measured-on-real-days'],
  },
];
