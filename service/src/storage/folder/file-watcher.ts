import { stat } from 'node:fs/promises';
import type { Clock, Timer } from '../../platform/clock.ts';

const CHECK_INTERVAL_MS = 5_000;

/**
 * Checks regularly whether a file exists, and calls `onGone` once when it is missing. Without its
 * files, the embedded store may loop forever inside one statement. Errors that don't mean that the
 * file is missing are ignored, for example running out of file descriptors.
 */
export function watchFile(deps: { clock: Clock; file: string; onGone(): void }): { stop(): void } {
  const { clock, file, onGone } = deps;
  let isStopped = false;
  let timer: Timer = clock.setTimer(CHECK_INTERVAL_MS, () => void check());

  async function check(): Promise<void> {
    const exists = await stat(file).then(
      () => true,
      (error: NodeJS.ErrnoException) => error.code !== 'ENOENT' && error.code !== 'ENOTDIR',
    );
    if (isStopped) return;
    if (exists) timer = clock.setTimer(CHECK_INTERVAL_MS, () => void check());
    else onGone();
  }

  return {
    stop() {
      isStopped = true;
      timer.cancel();
    },
  };
}
