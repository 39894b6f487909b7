import { replayFolder } from '../../src/ingest/replay/replay-folder.ts';

/**
 * A separate process that reads every recording in `FOLDER` without ingesting it. It has no store,
 * because creating an embedded store takes more than a gigabyte of memory, and the amount varies by
 * fifty megabytes.
 */
const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error('Usage: FOLDER');
await replayFolder({
  folder,
  ingest: () => Promise.resolve({ provider: null, feed: null, datasets: [], isDamaged: false }),
});
