import { describe, expect, test } from 'vitest';
import { memoryLog } from '../../../test/support/logs.ts';
import { readSettings } from '../../config/settings.ts';
import { localDate } from '../../domain/local-date.ts';
import type { WatchProgress } from '../../ingest/watched/watch-progress.ts';
import { showWatchProgress } from './watch-lines.ts';

const settings = readSettings({ flags: {}, env: {}, cwd: '/srv', sources: [] });
const URL = 'http://127.0.0.1:8080';
const NEXT = { date: localDate('2027-01-28'), dateStatus: 'projected' };

function show(steps: readonly WatchProgress[], { isTerminal = true, url = URL as string | null }) {
  let stderr = '';
  const log = memoryLog();
  const context = { isTerminal, stderr: (text: string) => void (stderr += text) };
  const onProgress = showWatchProgress(context, { log, settings, url });
  for (const step of steps) onProgress(step);
  return { stderr, entries: log.entries };
}

describe('progress of watched companies', () => {
  test('is one line per step on a terminal, then commands to paste', () => {
    const steps: WatchProgress[] = [
      { kind: 'started', symbols: ['AAPL', 'BRK.B'] },
      { kind: 'document', symbol: null, title: 'list of companies', rows: 10_012 },
      { kind: 'document', symbol: 'AAPL', title: 'release of 2026-10-29', rows: null },
      { kind: 'company', symbol: 'AAPL', reports: 92, next: NEXT },
      { kind: 'company', symbol: 'BRK.B', reports: 1, next: null },
      { kind: 'finished', symbols: ['AAPL', 'BRK.B'] },
    ];
    const { stderr, entries } = show(steps, {});
    expect(entries).toEqual([]);
    expect(stderr).toBe(`Fetching first: AAPL, BRK.B
  list of companies, 10,012 rows
  AAPL: release of 2026-10-29
AAPL: 92 reports, next 2027-01-28 (projected)
BRK.B: 1 report, next unknown
The watched companies are ready. The rest of the market follows. Try:

  KEY=$(npx afterbell keys create --plan pro --data-dir '/srv/.data')
  curl "${URL}/v1/earnings?symbol=AAPL&apikey=$KEY"

`);
  });

  test('names an unreachable host, a refusal and an unknown symbol with what to do', () => {
    const down = {
      kind: 'unavailable' as const,
      host: 'www.sec.gov',
      isRefusal: false,
      advice: null,
    };
    const steps: WatchProgress[] = [
      { ...down, reason: 'network' },
      { ...down, reason: 'blocked', isRefusal: true, advice: 'check SEC_CONTACT' },
      { kind: 'available', host: 'www.sec.gov' },
      { kind: 'unknown-symbol', symbol: 'APPL', suggestions: ['AAPL', 'APP'] },
      { kind: 'finished', symbols: [] },
    ];
    expect(show(steps, {}).stderr).toBe(
      `www.sec.gov cannot be reached (network): check this machine's connection, DNS and firewall. The service runs and keeps trying.
www.sec.gov refuses requests (blocked): check SEC_CONTACT. The service runs and keeps trying.
www.sec.gov responds.
APPL: no company in the list has this symbol. Did you mean AAPL, APP?
None of the watched companies is known.
`,
    );
  });

  test('is logged as events without a terminal', () => {
    const steps: WatchProgress[] = [
      { kind: 'company', symbol: 'AAPL', reports: 92, next: NEXT },
      { kind: 'unknown-symbol', symbol: 'APPL', suggestions: [] },
    ];
    const { stderr, entries } = show(steps, { isTerminal: false, url: null });
    expect(stderr).toBe('');
    expect(entries).toEqual([
      {
        level: 'info',
        message: 'AAPL: 92 reports, next 2027-01-28 (projected)',
        fields: { event: 'watched.company', symbol: 'AAPL', reports: 92, next: NEXT },
      },
      {
        level: 'warn',
        message: 'APPL: no company in the list has this symbol.',
        fields: { event: 'watched.unknown_symbol', symbol: 'APPL', suggestions: [] },
      },
    ]);
  });
});
