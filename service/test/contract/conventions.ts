import { describe, expect, test } from 'vitest';
import { NOW, type Reply, type Row, type World } from './world.ts';

/** Tests the rules that apply to every response. */
export function conventions(world: () => World): void {
  describe('every response', () => {
    test('returns responses that match the published schema and contain every documented field', async () => {
      for (const path of await everyPath(world())) {
        expect([path, world().violations(path, await world().read(path))]).toEqual([path, []]);
      }
    });

    test('returns unknown values as null, never as a placeholder', async () => {
      for (const path of await everyPath(world())) {
        const placeholders = leaves(await world().read(path)).filter(([, value]) =>
          isPlaceholder(value),
        );
        expect([path, placeholders]).toEqual([path, []]);
      }
    });

    test('returns dates as days, instants in UTC, and local times in separate fields', async () => {
      for (const path of await everyPath(world())) {
        for (const [name, value] of leaves(await world().read(path))) {
          if (typeof value !== 'string') continue;
          if (/At$|^asOf$|^timestamp$/.test(name)) expect(value, name).toMatch(INSTANT);
          else if (/^(date|.*Date)$/.test(name)) expect(value, name).toMatch(DAY);
          else if (/^next(Open|Close)$/.test(name)) expect(value, name).toMatch(NEW_YORK_INSTANT);
        }
      }
    });

    test('returns no observation dated in the future', async () => {
      const now = Date.parse(NOW) + 3_600_000;
      for (const path of await everyPath(world())) {
        for (const [name, value] of leaves(await world().read(path))) {
          if (name === 'updatedAt') expect(Date.parse(String(value)), path).toBeLessThan(now);
        }
      }
    });

    test('returns the same body and ETag when a request is repeated', async () => {
      for (const path of await everyPath(world())) {
        if (path.includes('market-status')) continue;
        let [first, second] = [await world().request(path), await world().request(path)];
        // The simulated market moves, so a change may fall between the two requests. The test then
        // sends two more, because no change follows that soon.
        if (first.text !== second.text) {
          [first, second] = [await world().request(path), await world().request(path)];
        }
        expect(second.text).toBe(first.text);
        expect(tagWithoutEncoding(second)).toBe(tagWithoutEncoding(first));
      }
    });
  });
}

/**
 * Returns the ETag without its encoding suffix. A response is compressed only from its second
 * request on.
 */
function tagWithoutEncoding({ headers }: Reply): string | undefined {
  return headers.get('etag')?.replace(/-(?:br|gz)"$/, '"');
}

/** Returns paths that cover every endpoint at least once, with companies that report around now. */
async function everyPath(world: World): Promise<string[]> {
  const symbols = (await reporters(world)).slice(0, 4);
  return [
    ...world.days
      .slice(4, 11)
      .flatMap((day) => [
        `/v1/calendar/earnings?date=${day}`,
        `/v1/calendar/economic?date=${day}`,
        `/v1/earnings-movers?date=${day}`,
      ]),
    '/v1/calendar/ipo',
    '/v1/calendar/dividends',
    ...symbols.flatMap((symbol) => [
      `/v1/earnings?symbol=${symbol}`,
      `/v1/earnings-reactions?symbol=${symbol}`,
      `/v1/profile/${symbol}`,
    ]),
    '/v1/unusual-volume',
    '/v1/market-status',
    '/v1/market-holidays',
    '/v1/datasets',
  ];
}

/** Returns the distinct symbols on the earnings calendar around now. */
export async function reporters(world: World): Promise<string[]> {
  const symbols = new Set<string>();
  for (const day of world.days) {
    const { pre, after, notSupplied } = (await world.read(
      `/v1/calendar/earnings?date=${day}`,
    )) as Record<'pre' | 'after' | 'notSupplied', Row[]>;
    for (const row of [...pre, ...after, ...notSupplied]) symbols.add(String(row['symbol']));
  }
  return [...symbols];
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z$/;
const NEW_YORK_INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}-0[45]:00$/;
const PLACEHOLDERS = new Set(['', 'N/A', 'n/a', 'NA', '-', '--', 'None', 'null', '&nbsp;']);

function isPlaceholder(value: unknown): boolean {
  if (typeof value === 'number') return !Number.isFinite(value);
  return typeof value === 'string' && (PLACEHOLDERS.has(value.trim()) || /&\w+;/.test(value));
}

/** Returns all scalar values with their member names. */
function leaves(value: unknown, name = ''): [string, unknown][] {
  if (Array.isArray(value)) return value.flatMap((part) => leaves(part, name));
  if (value === null || typeof value !== 'object') return [[name, value]];
  return Object.entries(value).flatMap(([member, part]) => leaves(part, member));
}
