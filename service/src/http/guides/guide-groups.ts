/**
 * Documents of docs/ that are served as guides, in this order. A name without a file is skipped, so
 * a guide can be listed before it is written.
 */
export const GUIDE_GROUPS: readonly { group: string; names: readonly string[] }[] = [
  { group: 'Get started', names: ['first-answer', 'sources-and-terms'] },
  {
    group: 'Use the data',
    names: ['webhooks', 'following-changes', 'time-travel', 'quotas', 'errors'],
  },
  {
    group: 'Operate',
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
    group: 'Reference',
    names: ['settings', 'providers', 'reliability', 'measured-on-real-days'],
  },
];
