import { SingleBar } from 'cli-progress';
import type { Clock } from './clock.ts';

/** Shows the progress of a long operation. */
export interface Progress {
  /** Adds `count` to the number of completed items. */
  tick(count?: number): void;
  /** Shows the final state. Later ticks have no effect. */
  finish(): void;
}

export interface ProgressOptions {
  label: string;
  /** Total number of items. Omitted if unknown. */
  total?: number;
  isTerminal: boolean;
  stderr: (text: string) => void;
  clock: Clock;
}

/** Long enough to keep the log of a long replay readable. */
const LINE_INTERVAL_MS = 5_000;

/**
 * Shows a progress bar on a terminal. Elsewhere, prints a line every five seconds and one at the
 * end.
 */
export function createProgress(options: ProgressOptions): Progress {
  return options.isTerminal ? showBar(options) : showLines(options);
}

function showLines({ label, total, stderr, clock }: ProgressOptions): Progress {
  const startedAtMs = clock.monotonicMs();
  let completed = 0;
  let isFinished = false;
  let timer = clock.setTimer(LINE_INTERVAL_MS, onTimer);

  function onTimer(): void {
    print();
    timer = clock.setTimer(LINE_INTERVAL_MS, onTimer);
  }

  function print(): void {
    const seconds = Math.round((clock.monotonicMs() - startedAtMs) / 1000);
    const share = total === undefined ? '' : ` of ${total}, ${percentage(completed, total)}%`;
    stderr(`${label}: ${completed}${share} after ${seconds} s\n`);
  }

  return {
    tick: (count = 1) => {
      if (!isFinished) completed += count;
    },
    finish: () => {
      if (isFinished) return;
      isFinished = true;
      timer.cancel();
      print();
    },
  };
}

function percentage(completed: number, total: number): number {
  return total === 0 ? 100 : Math.floor((100 * completed) / total);
}

function showBar({ label, total, stderr }: ProgressOptions): Progress {
  const knownTotal = '{label} [{bar}] {percentage}% | {value} of {total} | {eta_formatted} left';
  const unknownTotal = '{label} | {value} | {duration_formatted}';
  const bar = new SingleBar({
    format: total === undefined ? unknownTotal : knownTotal,
    stream: terminalStream(stderr),
    gracefulExit: false,
    hideCursor: false,
    fps: 5,
  });
  let completed = 0;
  bar.start(total ?? Number.MAX_SAFE_INTEGER, 0, { label });
  return {
    tick: (count = 1) => {
      completed += count;
      bar.update(completed);
    },
    finish: () => bar.stop(),
  };
}

/**
 * Returns a stream that writes through `stderr` instead of a stream of this process, because the
 * terminal may belong to another process. The progress bar needs little more than `write`, and 80
 * columns fit on every terminal.
 */
function terminalStream(stderr: (text: string) => void): NodeJS.WritableStream {
  const stream = {
    isTTY: true,
    columns: 80,
    write: (text: string) => {
      stderr(text);
      return true;
    },
  };
  return stream as unknown as NodeJS.WritableStream;
}
