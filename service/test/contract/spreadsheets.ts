import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createContext, runInContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { type Row, TODAY, type World } from './world.ts';

const SCRIPT = readFileSync(
  new URL('../../../examples/google-sheets/earnings.gs', import.meta.url),
  'utf8',
);
const COMPANY = 'NZNQZ';

/** Tests that spreadsheets read responses without cleaning. */
export function spreadsheets(world: () => World): void {
  describe('a spreadsheet', () => {
    test('shows the same values as the API through the custom functions of Google Sheets', async () => {
      const sheet = createSheet(world());
      const reports = await world().rows(`/v1/earnings?symbol=${COMPANY}`);
      const last = reports.find((row) => row['dateStatus'] === 'reported');
      const next = reports.findLast((row) => row['dateStatus'] !== 'reported');
      expect([last, next].map((row) => typeof row?.['date'])).toEqual(['string', 'string']);
      const formula = (field: string, report: string): Promise<unknown> =>
        sheet.evaluate(`EARNINGS('${COMPANY}', '${field}', '${report}')`);
      expect(await formula('epsSurprisePercent', 'last')).toBe(last?.['epsSurprisePercent']);
      expect(dayOf(await sheet.evaluate(`EARNINGS('${COMPANY}', 'date')`))).toBe(next?.['date']);
      const quarter = `${String(last?.['fiscalYear'])}-Q${String(last?.['fiscalQuarter'])}`;
      expect(await formula('revenue', quarter)).toBe(last?.['revenue']);
      expect(await formula('revenue', '1999-Q1')).toBe('');
      const profile = (await world().read(`/v1/profile/${COMPANY}`)) as Row;
      expect(await sheet.evaluate(`PROFILE('${COMPANY}', 'marketCap')`)).toBe(profile['marketCap']);
    });

    test('reads a table with dates and numbers as such, once within five minutes', async () => {
      const sheet = createSheet(world());
      const request = `/v1/market-calendar?from=${TODAY}&to=${TODAY}`;
      const [header, row] = (await sheet.evaluate(`EARNINGS_TABLE('${request}')`)) as unknown[][];
      const [expected = {}] = await world().rows(request);
      expect(header).toEqual(Object.keys(expected));
      expect(dayOf(row?.[0])).toBe(TODAY);
      const before = sheet.sent();
      await sheet.evaluate(`EARNINGS_TABLE('${request}')`);
      expect([before, sheet.sent()]).toEqual([1, 1]);
    });

    test('explains a failure in the cell, without the key', async () => {
      const sheet = createSheet(world());
      const failure = (formula: string): Promise<string> =>
        sheet.evaluate(formula).then(String, (error: unknown) => String(error));
      expect(await failure("PROFILE('NOSUCHQ', 'price')")).toContain('NOSUCHQ');
      expect(await failure(`PROFILE('${COMPANY}', 'nothing')`)).toContain('no field nothing');
      expect(await failure(`EARNINGS('${COMPANY}', 'date', 'soon')`)).toContain('2026-Q3');
      expect(await failure("PROFILE('NOSUCHQ', 'price')")).not.toContain(world().key);
    });

    test('receives CSV for an address with the key, as IMPORTDATA requests it', async () => {
      const path = `/v1/earnings?symbol=${COMPANY}&format=csv&apikey=${world().key}`;
      const { status, headers, text } = await world().request(path, { headers: {} });
      expect([status, headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8']);
      expect(text).toMatch(/^id,symbol,name,date,/);
    });
  });
}

/** Formats a date cell. Scripts have their own Date, so `instanceof` does not recognize it. */
function dayOf(cell: unknown): string {
  const date = new Date(cell as Date);
  const parts = [date.getMonth() + 1, date.getDate()].map((part) => String(part).padStart(2, '0'));
  return [date.getFullYear(), ...parts].join('-');
}

interface Sheet {
  evaluate(formula: string): Promise<unknown>;
  /** Number of requests so far. */
  sent(): number;
}

/**
 * Runs the custom functions with stand-ins for the services of Apps Script. Requests are synchronous
 * there, so a formula is evaluated again once the response to its next request is known.
 */
function createSheet({ url, key, request }: World): Sheet {
  const responses = new Map<string, { status: number; text: string }>();
  let sent = 0;
  let wanted: string | null = null;
  const context = createContext({
    ...scriptServices({ SERVICE_URL: `${url}/`, SERVICE_API_KEY: key }),
    UrlFetchApp: {
      fetch(address: string, { headers }: { headers: Record<string, string> }) {
        if (headers['X-Api-Key'] !== key) throw new Error('no key in the header');
        const response = responses.get(address);
        if (response === undefined) {
          wanted = address;
          throw new Error('not known yet');
        }
        responses.delete(address);
        sent += 1;
        return { getResponseCode: () => response.status, getContentText: () => response.text };
      },
    },
  });
  runInContext(SCRIPT, context);

  async function evaluate(formula: string): Promise<unknown> {
    wanted = null;
    try {
      return runInContext(formula, context) as unknown;
    } catch (error) {
      const address = wanted as string | null;
      if (address === null) throw error;
      const { status, text } = await request(address.slice(url.length));
      responses.set(address, { status, text });
      return evaluate(formula);
    }
  }

  return { evaluate, sent: () => sent };
}

/** Returns stand-ins for the services that send no request. */
function scriptServices(properties: Record<string, string>): object {
  const cache = new Map<string, string>();
  const getProperty = (name: string): string | null => properties[name] ?? null;
  return {
    PropertiesService: { getScriptProperties: () => ({ getProperty }) },
    CacheService: {
      getScriptCache: () => ({
        get: (name: string) => cache.get(name) ?? null,
        put: (name: string, text: string) => void cache.set(name, text),
      }),
    },
    Utilities: {
      DigestAlgorithm: { SHA_256: 'sha256' },
      computeDigest: (name: string, text: string) => createHash(name).update(text).digest(),
      base64Encode: (bytes: Buffer) => bytes.toString('base64'),
      // The responses of these tests have no quoted cells.
      parseCsv: (text: string) =>
        text
          .trimEnd()
          .split('\r\n')
          .map((line) => line.split(',')),
    },
  };
}
