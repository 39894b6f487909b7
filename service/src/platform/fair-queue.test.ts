import { expect, test } from 'vitest';
import { FairQueue, type Turn, WorkCancelledError } from './fair-queue.ts';

interface World {
  queue: FairQueue;
  /** Names of the steps in the order in which they ran. */
  steps: string[];
  used: Map<string, number>;
  /** Submits work of steps that take some milliseconds each. */
  submit(key: string, name: string, stepsMs: readonly number[]): ReturnType<FairQueue['submit']>;
}

/** Steps end one at a time, in the order in which they began, so the order of service is exact. */
function world(concurrency = 1, perKeyMax = 1): World {
  let nowMs = 0;
  const steps: string[] = [];
  const used = new Map<string, number>();
  const clock = { monotonicMs: () => nowMs };
  const onUsed = (key: string, ms: number) => void used.set(key, (used.get(key) ?? 0) + ms);
  const queue = new FairQueue({ clock, concurrency, perKeyMax, onUsed });

  const submit = (key: string, name: string, stepsMs: readonly number[]) =>
    queue.submit(key, async (turn: Turn) => {
      for (const ms of stepsMs) {
        await turn.pause();
        steps.push(name);
        await new Promise((resolve) => setImmediate(resolve));
        nowMs += ms;
      }
    });
  return { queue, steps, used, submit };
}

test('starts work of a key that arrives after at most one step of a key that has queued 32 works', async () => {
  const { steps, submit } = world();
  const attacks = Array.from({ length: 32 }, (_, i) =>
    submit('attacker', `a${i}`, [100, 100, 100]),
  );
  await new Promise((resolve) => setImmediate(resolve));
  const own = submit('bystander', 'b', [5, 5, 5]);
  await own.result;
  expect(steps.slice(0, 4)).toEqual(['a0', 'b', 'b', 'b']);
  await Promise.all(attacks.map(({ result }) => result));
  expect(steps).toHaveLength(3 + 32 * 3);
});

test('shares the time between keys that wait all the time, however many works each has queued', async () => {
  const { steps, submit } = world();
  const all = [
    ...Array.from({ length: 30 }, () => submit('heavy', 'heavy', [40])),
    ...Array.from({ length: 40 }, () => submit('light', 'light', [10])),
  ];
  await Promise.all(all.map(({ result }) => result));
  const half = steps.slice(0, 40);
  expect(half.filter((name) => name === 'heavy')).toHaveLength(8);
});

test('alternates between keys whose work takes no measurable time', async () => {
  const { steps, submit } = world();
  const all = ['a', 'b', 'c'].flatMap((key) => [1, 2].map(() => submit(key, key, [0])));
  await Promise.all(all.map(({ result }) => result));
  expect(steps).toEqual(['a', 'b', 'c', 'a', 'b', 'c']);
});

test('lets a key that was idle go ahead by a second, however long it was idle', async () => {
  const { steps, submit } = world();
  await submit('busy', 'busy', [60_000]).result;
  const stepsMs = Array.from({ length: 30 }, () => 100);
  const all = [submit('busy', 'busy', stepsMs), submit('idle', 'idle', stepsMs)];
  await Promise.all(all.map(({ result }) => result));
  expect(steps.slice(1, 31).filter((name) => name === 'idle')).toHaveLength(20);
});

test('runs each work of a key that uses less than its share to its end after one step of others', async () => {
  const { steps, submit } = world();
  const attacks = Array.from({ length: 32 }, () => submit('attacker', 'a', [40, 40, 40, 40, 40]));
  await attacks[6]?.result;
  for (let request = 0; request < 30; request += 1) {
    const before = steps.length;
    await submit('bystander', 'b', [30, 30, 30]).result;
    expect(steps.slice(before).join('')).toMatch(/^a?bbb/);
    for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  }
  for (const attack of attacks) attack.cancel();
  await Promise.allSettled(attacks.map(({ result }) => result));
});

test('runs one work of a key at a time for a second after the work of another key', async () => {
  const { queue, submit } = world(4, 2);
  const own = Array.from({ length: 8 }, () => submit('attacker', 'a', [100, 100, 100, 100, 100]));
  await new Promise((resolve) => setImmediate(resolve));
  expect(queue.running).toBe(2);
  await submit('bystander', 'b', [1]).result;
  expect(queue.running).toBe(1);
  await own[1]?.result;
  expect(queue.running).toBe(1);
  await own[4]?.result;
  expect(queue.running).toBe(2);
  await Promise.all(own.map(({ result }) => result));
});

test('runs no more works at once than there are places, and of one key no more than its share', async () => {
  const { queue, submit } = world(3, 2);
  const own = [1, 2, 3, 4].map(() => submit('a', 'a', [1, 1]));
  expect([queue.running, queue.waiting]).toEqual([2, 2]);
  const others = [submit('b', 'b', [1]), submit('c', 'c', [1])];
  expect([queue.running, queue.waiting]).toEqual([3, 3]);
  await Promise.all([...own, ...others].map(({ result }) => result));
  expect([queue.running, queue.waiting]).toEqual([0, 0]);
});

test('runs work in the turn of a key that joined it, and charges that key', async () => {
  const { steps, used, submit } = world();
  const queued = Array.from({ length: 9 }, (_, i) => submit('attacker', `a${i}`, [100]));
  const shared = submit('attacker', 'shared', [7]);
  shared.join('bystander');
  await Promise.all([...queued, shared].map(({ result }) => result));
  expect(steps.slice(0, 2)).toEqual(['a0', 'shared']);
  expect(Object.fromEntries(used)).toEqual({ attacker: 900, bystander: 7 });
});

test('never runs work that was cancelled while it waited', async () => {
  const { queue, steps, submit } = world();
  const first = submit('a', 'first', [1]);
  const second = submit('a', 'second', [1]);
  second.cancel();
  await expect(second.result).rejects.toThrow(WorkCancelledError);
  await first.result;
  expect(steps).toEqual(['first']);
  expect([queue.running, queue.waiting]).toEqual([0, 0]);
});

test('stops cancelled work at its next pause, and gives its place to other work', async () => {
  const { steps, submit } = world();
  const first = submit('a', 'first', [1, 1, 1]);
  const second = submit('a', 'second', [1]);
  await new Promise((resolve) => setImmediate(resolve));
  first.cancel();
  await expect(first.result).rejects.toThrow(WorkCancelledError);
  await second.result;
  expect(steps).toEqual(['first', 'second']);
});

test('gives the place of failed work to other work', async () => {
  const { queue, submit } = world();
  const failed = queue.submit('a', () => Promise.reject(new Error('broken')));
  const next = submit('a', 'next', [1]);
  await expect(failed.result).rejects.toThrow('broken');
  await next.result;
  expect(queue.running).toBe(0);
});
