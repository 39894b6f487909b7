import type { Random } from '../../../src/platform/random.ts';
import type { Answered, Reading } from '../parts/reader.ts';
import { SYMBOLS } from '../world/companies.ts';
import { between, pick } from '../world/draws.ts';

const DAY_MS = 86_400_000;
const PAST_MAX = 60;

export interface AnswerCheck {
  /** `isSettled`: the reader has had time to learn of every commit. */
  check(reader: Reading, at: { now: number; isSettled: boolean }): Promise<void>;
  count(): number;
}

/**
 * Historical responses never change. Equal ETags mean equal bodies and vice versa. Cached responses
 * equal fresh ones.
 */
export function createAnswerCheck(
  { random, key }: { random: Random; key: string },
  report: (wrong: string) => void,
): AnswerCheck {
  const past: { path: string; answer: Answered }[] = [];
  const bodyOf = new Map<string, string>();
  const tagOf = new Map<string, string>();
  let count = 0;

  async function check(
    reader: Reading,
    { now, isSettled }: { now: number; isSettled: boolean },
  ): Promise<void> {
    const path = pathOf(random, now);
    const kept = await ask(reader, path, false);
    const anew = await ask(reader, path, true);
    if (isSettled && kept.status === 200 && anew.status === 200 && kept.body !== anew.body) {
      report(`${path} is kept as ${kept.body}, and would be ${anew.body}`);
    }
    await askPast(reader, now);
  }

  async function askPast(reader: Reading, now: number): Promise<void> {
    const old = past.length === 0 ? null : pick(random, past);
    if (old !== null) {
      const again = await ask(reader, old.path, true);
      if (again.status === 200 && again.body !== old.answer.body) {
        report(`${old.path} was ${old.answer.body}, and is ${again.body}`);
      }
    }
    const asOf = new Date(now - random.int(10) * between(random, 1, DAY_MS)).toISOString();
    const path = `${pathOf(random, now)}&asOf=${asOf.replace(/\.\d+Z/, 'Z')}`;
    const answer = await ask(reader, path, true);
    if (answer.status !== 200) return;
    if (past.length >= PAST_MAX) past.splice(random.int(PAST_MAX), 1);
    past.push({ path, answer });
  }

  async function ask(reader: Reading, path: string, isAnew: boolean): Promise<Answered> {
    const answer = await (isAnew ? reader.getAnew(path, key) : reader.get(path, key));
    count += 1;
    if (answer.status === 200) checkTag(path, answer);
    else if (![404, 503].includes(answer.status)) {
      report(`${path} was answered ${answer.status}: ${answer.body}`);
    }
    return answer;
  }

  function checkTag(path: string, { etag, body }: Answered): void {
    const knownBody = bodyOf.get(etag);
    const knownTag = tagOf.get(body);
    if (knownBody !== undefined && knownBody !== body) report(`${path}: one tag for two bodies`);
    if (knownTag !== undefined && knownTag !== etag) report(`${path}: two tags for one body`);
    if (bodyOf.size > 5_000) bodyOf.clear();
    if (tagOf.size > 5_000) tagOf.clear();
    bodyOf.set(etag, body);
    tagOf.set(body, etag);
  }

  return { check, count: () => count };
}

function pathOf(random: Random, now: number): string {
  if (random.int(3) > 0) return `/v1/earnings?symbol=${pick(random, SYMBOLS)}`;
  const day = new Date(now + between(random, -20, 40) * DAY_MS).toISOString().slice(0, 10);
  return `/v1/calendar/earnings?date=${day}`;
}
