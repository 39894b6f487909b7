import { statSync } from 'node:fs';
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

/** Setting with the folder that the service watches. */
export const FILES_FOLDER = 'FILES_FOLDER';

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
  provides: 'your own CSV and JSON files',
  homepage: 'https://www.rfc-editor.org/rfc/rfc4180',
  redistribution: 'operator',
  terms: 'Your own CSV and JSON files: you are responsible for the right to show their content.',
  hosts: [],
  limits: { intervalMsMin: 0, timeoutMs: 10_000, bodyBytesMax: 64 * 1024 * 1024, cooldownMs: 0 },
  settings: [
    {
      name: FILES_FOLDER,
      required: false,
      secret: false,
      accepts: (folder) => statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true,
      describe:
        'Folder of your own files, of which the service imports each one that is new or changed. ' +
        'Without it, only afterbell import brings files in.',
      fix: 'set FILES_FOLDER to an existing folder, such as /srv/own-files',
    },
  ],
  ranks: {
    bars: 'operator',
    dividends: 'operator',
    earnings: 'operator',
    'economic-events': 'operator',
    ipos: 'operator',
    profiles: 'operator',
    splits: 'operator',
  },
  feeds: fileFeeds,
};
