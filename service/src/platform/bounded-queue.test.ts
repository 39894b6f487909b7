import { expect, test } from 'vitest';
import { BoundedQueue, type Priority, QueueFullError } from './bounded-queue.ts';

/** Work that runs until the test finishes it. */
function controlledWork(queue: BoundedQueue) {
  const started: string[] = [];
  const finish = new Map<string, () => void>();
  const outcomes = new Map<string, Promise<unknown>>();
  return {
    started,
    outcomes,
    add(name: string, priority?: Priority): void {
      const work = (): Promise<string> => {
        started.push(name);
        return new Promise((resolve) => finish.set(name, () => resolve(name)));
      };
      outcomes.set(
        name,
        queue.run(work, priority).catch((error: unknown) => error),
      );
    },
    async finish(name: string): Promise<void> {
      finish.get(name)?.();
      await outcomes.get(name);
      await Promise.resolve();
    },
  };
}

test('runs only the allowed number at once, and the others in order of arrival', async () => {
  const work = controlledWork(new BoundedQueue({ concurrency: 2, waitingMax: 10 }));
  for (const name of ['a', 'b', 'c', 'd']) work.add(name);
  expect(work.started).toEqual(['a', 'b']);
  await work.finish('b');
  expect(work.started).toEqual(['a', 'b', 'c']);
  await work.finish('a');
  expect(work.started).toEqual(['a', 'b', 'c', 'd']);
});

test('starts work of high priority before waiting work of normal priority', async () => {
  const work = controlledWork(new BoundedQueue({ concurrency: 1, waitingMax: 10 }));
  for (const name of ['a', 'b']) work.add(name);
  for (const name of ['high 1', 'high 2']) work.add(name, 'high');
  for (const name of ['a', 'high 1', 'high 2']) await work.finish(name);
  expect(work.started).toEqual(['a', 'high 1', 'high 2', 'b']);
});

test('rejects work that finds the queue full, unless its priority displaces other work', async () => {
  const queue = new BoundedQueue({ concurrency: 1, waitingMax: 2 });
  const work = controlledWork(queue);
  for (const name of ['a', 'b', 'c', 'd']) work.add(name);
  await expect(work.outcomes.get('d')).resolves.toBeInstanceOf(QueueFullError);
  work.add('high', 'high');
  await expect(work.outcomes.get('c')).resolves.toBeInstanceOf(QueueFullError);
  expect(queue.waiting).toBe(2);
  await work.finish('a');
  expect(work.started).toEqual(['a', 'high']);
});

test('continues after work that fails', async () => {
  const queue = new BoundedQueue({ concurrency: 1, waitingMax: 2 });
  const failing = queue.run(() => Promise.reject(new Error('broken')));
  const next = queue.run(() => Promise.resolve('done'));
  await expect(failing).rejects.toThrow('broken');
  await expect(next).resolves.toBe('done');
  expect(queue.waiting).toBe(0);
});
