import type { Provider } from '../provider.ts';
import { bars } from './bars.ts';
import { dividends } from './dividends.ts';
import { earnings } from './earnings.ts';
import { economicEvents } from './economic-events.ts';
import type { FileFeed } from './file-feed.ts';
import { ipos } from './ipos.ts';
import { profiles } from './profiles.ts';
import { securities } from './securities.ts';
import { splits } from './splits.ts';

/** One feed for each kind of file. */
export const fileFeeds: readonly FileFeed[] = [
  bars,
  earnings,
  profiles,
  securities,
  splits,
  economicEvents,
  dividends,
  ipos,
];

export const provider: Provider = {
  name: 'files',
  title: 'Operator files',
  homepage: 'https://www.rfc-editor.org/rfc/rfc4180',
  redistribution: 'operator',
  terms: 'Your own CSV and JSON files: you are responsible for the right to show their content.',
  hosts: [],
  limits: { intervalMsMin: 0, timeoutMs: 10_000, bodyBytesMax: 64 * 1024 * 1024, cooldownMs: 0 },
  settings: [],
  feeds: fileFeeds,
};
