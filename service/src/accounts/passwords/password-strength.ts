import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { BoundedQueue } from '../../platform/bounded-queue.ts';

export interface StrengthQuestion {
  password: string;
  /** Words that are easy to guess for this person. */
  words: readonly string[];
}

/** Questions are answered one at a time. A request that would wait for more than 20 is rejected. */
const questions = new BoundedQueue({ concurrency: 1, waitingMax: 20 });
let worker: Worker | null = null;

/**
 * Returns the number of guesses that the password withstands, as a power of ten, as zxcvbn estimates
 * it. Some passwords take it 70 ms, so it runs in a thread of its own, which starts with the first
 * password. Rejects with `QueueFullError` if too many passwords are waiting.
 */
export function estimateGuesses(question: StrengthQuestion): Promise<number> {
  return questions.run(async () => {
    const thread = (worker ??= startWorker());
    // The thread keeps the process from ending only while a password waits for it.
    thread.ref();
    const stop = new AbortController();
    const ended = once(thread, 'exit', { signal: stop.signal }).then(() => {
      throw new Error('the thread that estimates the strength of passwords has ended');
    });
    const answer = once(thread, 'message', { signal: stop.signal });
    thread.postMessage(question);
    try {
      const [guesses] = (await Promise.race([answer, ended])) as [number];
      return guesses;
    } finally {
      stop.abort();
      thread.unref();
      await Promise.allSettled([answer, ended]);
    }
  });
}

function startWorker(): Worker {
  const file = import.meta.url.endsWith('.ts') ? './strength-worker.ts' : './strength-worker.js';
  const started = new Worker(new URL(file, import.meta.url));
  // The next password then starts a new one.
  started.once('error', () => (worker = null));
  started.once('exit', () => (worker = null));
  return started;
}
