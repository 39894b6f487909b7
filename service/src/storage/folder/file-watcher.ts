import { stat } from 'node:fs/promises';
import type { Clock, Timer } from '../../platform/clock.ts';

const LOOK_MS = 5_000;

/**
 * Looks for a file now and then, and tells once when it is not there any more. The embedded store
 * needs it: without its files it may turn for ever in one statement, which nobody would hear of.
 * Anything but "not there" counts as there: a full table of open files says nothing of the file.
 */
export function watchFile(deps: { clock: Clock; file: string; onGone(): void }): { stop(): void } {
  const { clock, file, onGone } = deps;
  let isOver = false;
  let timer: Timer = clock.setTimer(LOOK_MS, () => void look());

  async function look(): Promise<void> {
    const isThere = await stat(file).then(
      () => true,
      (error: NodeJS.ErrnoException) => error.code !== 'ENOENT' && error.code !== 'ENOTDIR',
    );
    if (isOver) return;
    if (isThere) timer = clock.setTimer(LOOK_MS, () => void look());
    else onGone();
  }

  return {
    stop() {
      isOver = true;
      timer.cancel();
    },
  };
}
