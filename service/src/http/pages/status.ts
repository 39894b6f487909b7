import type { SessionState } from '../../domain/market/sessions.ts';
import { formatNewYork } from '../../domain/new-york.ts';
import { formatInstant, type Instant } from '../../platform/instant.ts';
import type { DataSource } from '../response/cached-response.ts';
import { escapeHtml, renderPage } from './html.ts';

/** Freshness of one data set. */
export interface Freshness {
  dataset: string;
  lastSuccessAt: Instant | null;
  lastChangeAt: Instant | null;
  /** Maximum age before the data set is considered late; null if no update is due. */
  targetSeconds: number | null;
  state: 'fresh' | 'late' | 'failing' | 'empty' | 'idle' | 'replayed';
}

/** Delays since acceptance, in seconds; null if unknown. */
interface Delay {
  p50: number | null;
  p95: number | null;
}

/** Time until filings with results are seen, served and posted. */
interface FilingDelays {
  filings: number;
  seen: Delay;
  served: Delay;
  posted: Delay;
}

/** The last 200 filings, and those of 90 days. */
export interface FilingDelayReport {
  last200: FilingDelays;
  days90: FilingDelays;
}

export interface StatusReport {
  /** True once startup is complete. Until then, the process is still filling its store. */
  isStarted: boolean;
  dataSource: DataSource;
  now: Instant;
  uptimeSeconds: number;
  market: SessionState;
  /** Null if the store is unavailable. */
  datasets: readonly Freshness[] | null;
  /** Null if the store is unavailable. */
  filings: FilingDelayReport | null;
}

/** Returns the JSON body of `/status`. */
export function statusJson(report: StatusReport) {
  const { dataSource, now, market, datasets } = report;
  return {
    status: statusOf(report),
    dataSource,
    synthetic: dataSource === 'synthetic',
    timestamp: formatInstant(now),
    uptimeSeconds: report.uptimeSeconds,
    market: {
      session: market.session,
      nextSession: market.nextSession,
      nextSessionAt: formatInstant(market.nextSessionAt),
    },
    datasets: (datasets ?? []).map((freshness) => ({
      dataset: freshness.dataset,
      state: freshness.state,
      lastSuccessAt: instantOrNull(freshness.lastSuccessAt),
      lastChangeAt: instantOrNull(freshness.lastChangeAt),
      ageSeconds: ageSeconds(freshness, now),
      targetSeconds: freshness.targetSeconds,
      lateSince: instantOrNull(lateSince(freshness)),
    })),
    filings: report.filings,
    recordedAheadSeconds: recordedAheadSeconds(report),
  };
}

/** A time less than this in the future is a matter of two clocks. */
const AHEAD_SECONDS_MIN = 300;

/**
 * Returns how far the newest data was recorded ahead of this clock, or null if it was not. Newer data
 * cannot replace it.
 */
function recordedAheadSeconds({ datasets, now }: StatusReport): number | null {
  const times = (datasets ?? []).flatMap(({ lastSuccessAt, lastChangeAt }) => [
    lastSuccessAt ?? now,
    lastChangeAt ?? now,
  ]);
  const seconds = Math.floor((Math.max(now, ...times) - now) / 1_000);
  return seconds < AHEAD_SECONDS_MIN ? null : seconds;
}

function statusOf({ isStarted, datasets }: StatusReport): 'ready' | 'starting' | 'not ready' {
  if (!isStarted) return 'starting';
  return datasets === null ? 'not ready' : 'ready';
}

/** Renders the HTML page for `/status`. */
export function renderStatus(report: StatusReport, brand: string): string {
  const { now, datasets, market } = report;
  const source =
    report.dataSource === 'synthetic'
      ? '<p class="note">Simulated market with made-up data.</p>'
      : report.dataSource === 'recorded'
        ? '<p class="note">Replay of recorded data. No source is contacted.</p>'
        : '';
  const main = `
<h1>${HEADINGS[statusOf(report)]}</h1>
<p class="lead">${escapeHtml(summary(datasets))}</p>
${renderAhead(recordedAheadSeconds(report))}
${source}
<dl class="facts">
<div><dt>U.S. market</dt><dd>${SESSION_LABELS[market.session]}</dd>
<dd class="soft">${SESSION_LABELS[market.nextSession]} from ${renderNewYork(market.nextSessionAt)}</dd></div>
<div><dt>This instance</dt><dd>running for ${duration(report.uptimeSeconds)}</dd>
<dd class="soft">as of ${renderInstant(now)}</dd></div>
</dl>
<h2>Data sets</h2>
${renderTable(datasets, now)}
${renderFilings(report.filings)}
<p class="soft">A data set is late if its last successful update is older than the last scheduled one.
Weekends and holidays do not count. This page is also available as JSON. <code>GET /v1/coverage</code>
shows the data sets and sources of each endpoint.</p>`;
  return renderPage({ title: `Status of ${brand}`, brand, main, active: 'status' });
}

const HEADINGS = {
  ready: 'Operational',
  starting: 'Starting',
  'not ready': 'Data store unavailable',
} as const;

const SESSION_LABELS = {
  'pre-market': 'Pre-market',
  open: 'Open',
  'after-hours': 'After hours',
  closed: 'Closed',
} as const;

const STATE_LABELS = {
  fresh: 'up to date',
  late: 'late',
  failing: 'failing',
  empty: 'no data yet',
  idle: 'not ingested here',
  replayed: 'replayed',
} as const;

function renderAhead(seconds: number | null): string {
  if (seconds === null) return '';
  return `<p class="note">Data was recorded ${duration(seconds)} ahead of this clock. Newer data does not replace it.</p>`;
}

/** Returns a sentence that lists the late data sets first. */
function summary(datasets: StatusReport['datasets']): string {
  if (datasets === null) return 'Data freshness is currently unknown.';
  if (datasets.length === 0) return 'No data set has been updated yet.';
  if (datasets.every(({ targetSeconds }) => targetSeconds === null)) {
    return 'No data set is updated here.';
  }
  const late = datasets.filter(isLate).map(({ dataset }) => labelOf(dataset));
  if (late.length === 0) return 'All data sets are up to date.';
  return `${late.length} of ${datasets.length} data sets ${late.length === 1 ? 'is' : 'are'} late: ${late.join(', ')}.`;
}

function renderTable(datasets: StatusReport['datasets'], now: Instant): string {
  if (datasets === null) return '<p>The data store is unavailable.</p>';
  if (datasets.length === 0) return '<p>No data has been ingested yet.</p>';
  const lateFirst = datasets.toSorted((a, b) => Number(isLate(b)) - Number(isLate(a)));
  return `<div class="scroll" role="group" aria-label="Freshness by data set" tabindex="0"><table class="list">
<thead><tr><th>Data set</th><th>State</th><th>Last update</th><th>Last change</th></tr></thead>
<tbody>
${lateFirst.map((freshness) => renderRow(freshness, now)).join('\n')}
</tbody></table></div>`;
}

function renderRow(freshness: Freshness, now: Instant): string {
  const { dataset, state, lastSuccessAt, lastChangeAt } = freshness;
  const since = lateSince(freshness);
  const late =
    since === null ? '' : `<small>since ${renderInstant(since)}, ${ago(since, now)}</small>`;
  return `<tr><th scope="row">${escapeHtml(labelOf(dataset))}</th>
<td><span class="state ${state}">${STATE_LABELS[state]}</span>${late}</td>
<td class="number"><b>Last update</b>${renderTime(lastSuccessAt, now)}</td>
<td class="number"><b>Last change</b>${renderTime(lastChangeAt, now)}</td></tr>`;
}

/** Renders nothing for a service that follows no filings. */
function renderFilings(delays: FilingDelayReport | null): string {
  if (delays === null || delays.days90.filings === 0) return '';
  const row = (label: string, { filings, seen, served, posted }: FilingDelays): string =>
    `<tr><th scope="row">${label}</th><td class="number"><b>Filings</b>${filings}</td>
<td class="number"><b>Seen</b>${renderDelay(seen)}</td>
<td class="number"><b>Served</b>${renderDelay(served)}</td>
<td class="number"><b>Posted</b>${renderDelay(posted)}</td></tr>`;
  return `<h2>Filings with results</h2>
<p class="soft">Time from the acceptance of a filing at the SEC until this service saw it, served its figures and
posted the first webhook: median and 95th percentile.</p>
<div class="scroll" role="group" aria-label="Delay of filings" tabindex="0"><table class="list">
<thead><tr><th>Period</th><th>Filings</th><th>Seen</th><th>Served</th><th>Posted</th></tr></thead>
<tbody>
${row('Last 200', delays.last200)}
${row('90 days', delays.days90)}
</tbody></table></div>`;
}

function renderDelay({ p50, p95 }: Delay): string {
  if (p50 === null || p95 === null) return '–';
  return `${renderSeconds(p50)}<small>95 %: ${renderSeconds(p95)}</small>`;
}

function renderSeconds(seconds: number): string {
  return seconds < 120 ? `${seconds} s` : duration(Math.round(seconds));
}

function isLate({ state }: Freshness): boolean {
  return state === 'late' || state === 'failing';
}

/** Returns the time when a newer update was due, or null if the data set is not late. */
function lateSince(freshness: Freshness): Instant | null {
  const { lastSuccessAt, targetSeconds } = freshness;
  if (!isLate(freshness) || lastSuccessAt === null) return null;
  return lastSuccessAt + (targetSeconds ?? 0) * 1000;
}

function ageSeconds({ lastSuccessAt }: Freshness, now: Instant): number | null {
  return lastSuccessAt === null ? null : Math.max(0, Math.round((now - lastSuccessAt) / 1000));
}

function instantOrNull(at: Instant | null): string | null {
  return at === null ? null : formatInstant(at);
}

/** Converts a data set's name to a label, such as `economic-events` to "Economic events". */
function labelOf(dataset: string): string {
  const label = dataset.replaceAll('-', ' ');
  return label === 'ipos' ? 'IPOs' : label.charAt(0).toUpperCase() + label.slice(1);
}

function renderTime(at: Instant | null, now: Instant): string {
  if (at === null) return '–';
  return `${ago(at, now)}<small>${renderInstant(at)}</small>`;
}

/** Formats a duration in its most readable unit: `45 s`, `15 min`, `3 h`, `2 d`. */
function duration(seconds: number): string {
  if (seconds < 120) return `${seconds} s`;
  if (seconds < 7_200) return `${Math.round(seconds / 60)} min`;
  return seconds < 172_800
    ? `${Math.round(seconds / 3_600)} h`
    : `${Math.round(seconds / 86_400)} d`;
}

function ago(at: Instant, now: Instant): string {
  return `${duration(Math.max(0, Math.round((now - at) / 1000)))} ago`;
}

/** Formats an instant in UTC, to the minute. The JSON body contains the exact instant. */
function renderInstant(at: Instant): string {
  const text = formatInstant(at);
  return `<time datetime="${text}">${text.slice(0, 10)} ${text.slice(11, 16)} UTC</time>`;
}

function renderNewYork(at: Instant): string {
  const text = formatNewYork(at);
  return `<time datetime="${text}">${text.slice(0, 10)} ${text.slice(11, 16)} New York</time>`;
}
