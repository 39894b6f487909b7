import { newestSession } from '../../datasets/bars/load.ts';
import { newYorkInstant } from '../../domain/new-york.ts';
import type { EngineDeps } from '../engine.ts';
import { lockCursor, moveCursor } from './cursor.ts';
import { queueWatched } from './queue.ts';

const CURSOR = 'sessions';

/**
 * When the bars of another session have come in, every company that is watched through a template
 * that follows sessions is looked at once more; those of which nothing differs are told of nothing.
 * A bar that comes later than the others of its session counts with the next one. Returns false when
 * there was nothing to do.
 */
export async function queueSessionChanges({ db, clock, templates }: EngineDeps): Promise<boolean> {
  const following = templates.filter(({ followsSessions }) => followsSessions === true);
  if (following.length === 0) return false;
  return db.transaction(async (tx) => {
    const session = await newestSession(tx);
    if (session === null) return false;
    const position = newYorkInstant(session, 0);
    const cursor = await lockCursor(tx, CURSOR, 0);
    if (cursor === null || cursor.position === position) return false;
    const ids = following.map(({ templateId }) => templateId);
    await queueWatched(tx, ids, clock.now());
    await moveCursor(tx, CURSOR, { position, reached: '' });
    return true;
  });
}
