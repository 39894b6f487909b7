import { replayFolder } from '../../src/ingest/replay/replay-folder.ts';

/**
 * A process of its own that reads every recording of a folder, takes none of them in and ends:
 * `FOLDER`. With a store in it nothing could be told of its memory: the embedded one takes more than
 * a gigabyte while it is made, sometimes fifty megabytes more or less.
 */
const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error('Usage: FOLDER');
await replayFolder({
  folder,
  ingest: () => Promise.resolve({ provider: null, feed: null, datasets: [], isDamaged: false }),
});
