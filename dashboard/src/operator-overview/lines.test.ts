import { expect, test } from 'vitest';
import type { MarketOverride, Source, System, WebhookQueueStats } from '../api/calls.gen.ts';
import { deliveriesLine, sourcesLine } from './ingest-lines.ts';
import { byHour } from './hours.ts';
import { statusSummary, worstFirst } from './status-line.ts';
import { freshnessLine, loopsLine, marketLine, quarantineLine, storeLine } from './system-lines.ts';

const NOW = Date.parse('2026-11-20T15:30:00Z');

const SOURCE: Source = {
  name: 'sec',
  title: 'SEC EDGAR',
  homepage: '',
  redistribution: 'public-domain',
  terms: '',
  whyNotInUse: null,
  lacks: [],
  inUse: true,
  datasets: [],
  lastSuccessAt: '2026-11-20T15:00:00Z',
  lastFailure: null,
  nextRunAt: null,
  resting: null,
};

const FIGURES: WebhookQueueStats = {
  due: 0,
  oldestDueSeconds: 0,
  inFlight: 0,
  toTell: 0,
  slowEndpoints: 0,
  failingEndpoints: 0,
  disabledEndpoints: 0,
  worst: [],
};

function system(freeBytes: number): System {
  return {
    version: '1.0.0',
    dataSource: 'live',
    startedAt: '2026-11-20T15:00:00Z',
    now: '2026-11-20T15:30:00Z',
    store: {
      engine: 'postgres',
      schemaVersion: 1,
      sizeBytes: 1024,
      lastBackupAt: null,
      snapshot: null,
    },
    loops: [],
    failovers: [],
    disk: {
      totalBytes: 1e3,
      freeBytes,
    },
  };
}

test('sorts status lines with problems first and counts them in the summary', () => {
  const lines = [quarantineLine(0), quarantineLine(3), storeLine(system(10))];
  expect(worstFirst(lines).map(({ tone }) => tone)).toEqual(['bad', 'warn', 'good']);
  expect(statusSummary(lines)).toBe('2 issues need attention');
  expect(statusSummary([])).toBe('All systems operational');
});

test('warns before the disk is full', () => {
  expect([500, 99, 29].map((free) => storeLine(system(free)).tone)).toEqual([
    'good',
    'warn',
    'bad',
  ]);
});

test('names a failing background loop with its last error, and a process that no longer reports', () => {
  const loop = {
    process: 'host 7',
    loop: 'send',
    lastSuccessAt: null,
    isFailing: false,
    lastError: null,
    reportedAt: '2026-11-20T15:30:00Z',
    isSilent: false,
  };
  const line = (change: Partial<System['loops'][number]>) =>
    loopsLine({ ...system(500), loops: [{ ...loop, ...change }] });
  expect(loopsLine(system(500))).toBeNull();
  expect(line({})).toMatchObject({ tone: 'good', text: '1 running.' });
  expect(line({ isFailing: true, lastError: 'no table' })).toMatchObject({
    tone: 'bad',
    text: 'Failing: send on host 7 (no table).',
  });
  expect(line({ isSilent: true })).toMatchObject({
    tone: 'warn',
    text: 'No report for a minute from host 7.',
  });
});

test('lists a failing source with the reason for the failure', () => {
  const at = '2026-11-20T15:10:00Z';
  const lastFailure = { at, outcome: 'unavailable', reason: 'timeout' } as const;
  const line = sourcesLine({ sources: [SOURCE, { ...SOURCE, lastFailure }], datasets: [] });
  expect(line.tone).toBe('warn');
  expect(line.text).toBe('1 of 2 sources failing: SEC EDGAR (failed: timeout).');
});

test('ignores a source failure that happened before the last success', () => {
  const at = '2026-11-20T14:10:00Z';
  const lastFailure = { at, outcome: 'rejected', reason: null } as const;
  expect(sourcesLine({ sources: [{ ...SOURCE, lastFailure }], datasets: [] }).tone).toBe('good');
});

test('flags deliveries that are overdue by more than a minute', () => {
  const tones = [5, 61, 601].map(
    (oldestDueSeconds) => deliveriesLine({ ...FIGURES, due: 4, oldestDueSeconds }).tone,
  );
  expect(tones).toEqual(['good', 'warn', 'bad']);
});

test('lists datasets that are late', () => {
  const dataset = { lastSuccessAt: null, lastChangeAt: null, ageSeconds: 9, targetSeconds: 5 };
  const line = freshnessLine({
    status: 'ready',
    dataSource: 'live',
    synthetic: false,
    timestamp: '',
    datasets: [
      {
        dataset: 'bars',
        state: 'late',
        ...dataset,
      },
      {
        dataset: 'ipos',
        state: 'fresh',
        ...dataset,
      },
    ],
  });
  expect(line).toMatchObject({ tone: 'warn', text: 'Late: bars.' });
});

test('lists only calendar changes that are active and not in the past', () => {
  const day: Omit<MarketOverride, 'date'> = {
    id: 1,
    kind: 'closed',
    time: null,
    reason: 'x',
    note: null,
    createdBy: 'me',
    createdAt: '',
    revokedAt: null,
    revokedBy: null,
  };
  const past = { ...day, date: '2026-11-19' };
  const reverted = { ...day, date: '2026-11-25', revokedAt: '2026-11-20T00:00:00Z' };
  expect(marketLine([past, reverted], '2026-11-20')).toBeNull();
  expect(marketLine([past, { ...day, date: '2026-11-24' }], '2026-11-20')?.text).toBe(
    'Calendar changes: Tue, Nov 24 closed.',
  );
});

test('returns counts for each of the last 24 hours, ending with the current hour', () => {
  const rows = [
    { at: '2026-11-20T15:00:00.000Z', name: '2xx', requests: 7 },
    { at: '2026-11-19T16:00:00.000Z', name: '4xx', requests: 2 },
    { at: '2026-11-19T15:00:00.000Z', name: '2xx', requests: 99 },
  ];
  const hours = byHour(rows, ['2xx', '4xx'], NOW);
  expect(hours).toHaveLength(24);
  expect(hours[0]).toEqual({ at: '2026-11-19T16:00:00.000Z', figures: { '2xx': 0, '4xx': 2 } });
  expect(hours.at(-1)?.figures).toEqual({ '2xx': 7, '4xx': 0 });
});

test('flags failing endpoints, but not throttled ones', () => {
  expect(deliveriesLine({ ...FIGURES, slowEndpoints: 3 })).toMatchObject({ tone: 'good' });
  const failing = deliveriesLine({ ...FIGURES, slowEndpoints: 3, failingEndpoints: 1 });
  expect(failing).toMatchObject({ tone: 'warn' });
  expect(failing.text).toContain('1 endpoint failing.');
});
