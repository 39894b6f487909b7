import { stat } from 'node:fs/promises';
import type { Clock, Timer } from '../../platform/clock.ts';

const LOOK_MS = 5_000;

/**
 * Checks regularly whether a file exists and calls `onGone` once when it is missing. Without its
 * files the embedded store may loop forever inside one statement. Any other error counts as
 * existing: running out of file descriptors says nothing about the file.
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
