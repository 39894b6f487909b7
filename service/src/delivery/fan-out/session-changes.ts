import { newestCompleteSession } from '../../datasets/bars/load.ts';
import { newYorkInstant } from '../../domain/new-york.ts';
import type { EngineDeps } from '../engine.ts';
import { lockCursor, moveCursor } from './cursor.ts';
import { queueSubscribed } from './queue.ts';

const CURSOR = 'sessions';

/**
 * Queues every company with a subscription to a template that follows sessions, once the bars of a
 * new session are stored. Companies whose data did not change get no delivery. A bar that arrives
 * later than the others in its session is picked up with the next session. Returns false if there
 * was nothing to do.
 */
export async function queueSessionChanges({ db, clock, templates }: EngineDeps): Promise<boolean> {
  const templateIds = templates
    .filter(({ followsSessions }) => followsSessions === true)
    .map(({ templateId }) => templateId);
  if (templateIds.length === 0) return false;
  return db.transaction(async (tx) => {
    const session = await newestCompleteSession(tx);
    if (session === null) return false;
    const position = newYorkInstant(session, 0);
    const cursor = await lockCursor(tx, CURSOR, 0);
    if (cursor === null || cursor.position === position) return false;
    await queueSubscribed(tx, templateIds, clock.now());
    await moveCursor(tx, CURSOR, { position, progress: '' });
    return true;
  });
}
