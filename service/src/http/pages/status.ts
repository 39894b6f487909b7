import type { SessionState } from '../../domain/market/sessions.ts';
import { formatNewYork } from '../../domain/new-york.ts';
import { formatInstant, type Instant } from '../../platform/instant.ts';
import type { DataSource } from '../response/cached-response.ts';
import { escapeHtml, renderPage } from './html.ts';

/** How fresh one data set is; who fills it knows weekends and holidays, this page only shows. */
export interface Freshness {
  dataset: string;
  lastSuccessAt: Instant | null;
  lastChangeAt: Instant | null;
  /** Age at which it counts as late; null when nothing is due. */
  targetSeconds: number | null;
  state: 'fresh' | 'late' | 'failing' | 'empty' | 'idle';
}

export interface StatusReport {
  /** Whether it was ever ready: until then it fills its store. */
  isStarted: boolean;
  dataSource: DataSource;
  now: Instant;
  uptimeSeconds: number;
  market: SessionState;
  /** Null while the store cannot tell. */
  datasets: readonly Freshness[] | null;
}

/** The body of `/status` for programs. */
export function statusJson(report: StatusReport) {
  const { dataSource, now, market, datasets } = report;
  return {
    status: standing(report),
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
  };
}

function standing({ isStarted, datasets }: StatusReport): 'ready' | 'starting' | 'not ready' {
  if (!isStarted) return 'starting';
  return datasets === null ? 'not ready' : 'ready';
}

/** The same for people. */
export function renderStatus(report: StatusReport, brand: string): string {
  const { now, datasets, market } = report;
  const source =
    report.dataSource === 'synthetic'
      ? '<p class="note">Simulated market: made-up data.</p>'
      : report.dataSource === 'recorded'
        ? '<p class="note">Recorded data: nothing is asked anew.</p>'
        : '';
  const main = `
<h1>${HEADINGS[standing(report)]}</h1>
<p class="lead">${escapeHtml(sentence(datasets))}</p>
${source}
<dl class="facts">
<div><dt>U.S. market</dt><dd>${SESSION_WORDS[market.session]}</dd>
<dd class="soft">${SESSION_WORDS[market.nextSession]} from ${newYork(market.nextSessionAt)}</dd></div>
<div><dt>This process</dt><dd>up ${duration(report.uptimeSeconds)}</dd>
<dd class="soft">as of ${clockText(now)}</dd></div>
</dl>
<h2>Data sets</h2>
${renderTable(datasets, now)}
<p class="soft">A data set is late when its newest good answer is older than the last gathering that was
due; weekends and holidays make nothing late. Programs get this page as JSON. How endpoints map to data
sets and sources: <code>GET /v1/coverage</code>.</p>`;
  return renderPage({ title: `Status of ${brand}`, brand, main, place: 'status' });
}

const HEADINGS = {
  ready: 'Answering.',
  starting: 'Starting up.',
  'not ready': 'The store does not answer.',
} as const;

const SESSION_WORDS = {
  'pre-market': 'Pre-market',
  open: 'Open',
  'after-hours': 'After hours',
  closed: 'Closed',
} as const;

const STATE_WORDS = {
  fresh: 'up to date',
  late: 'late',
  failing: 'failing',
  empty: 'empty so far',
  idle: 'not gathered here',
} as const;

/** The whole in one sentence: what a reader wants to know first is what is late. */
function sentence(datasets: StatusReport['datasets']): string {
  if (datasets === null) return 'How fresh the data are cannot be told at the moment.';
  if (datasets.length === 0) return 'No data set has reported yet.';
  const late = datasets.filter(isBehind).map(({ dataset }) => nameOf(dataset));
  if (late.length === 0) return 'No data set is late.';
  return `${late.length} of ${datasets.length} data sets ${late.length === 1 ? 'is' : 'are'} late: ${late.join(', ')}.`;
}

function renderTable(datasets: StatusReport['datasets'], now: Instant): string {
  if (datasets === null) return '<p>Nothing can be read from the store now.</p>';
  if (datasets.length === 0) return '<p>Nothing was gathered yet.</p>';
  const behindFirst = datasets.toSorted((a, b) => Number(isBehind(b)) - Number(isBehind(a)));
  return `<div class="scroll" role="group" aria-label="Freshness by data set" tabindex="0"><table class="list">
<thead><tr><th>Data set</th><th>State</th><th>Last good answer</th><th>Last change</th></tr></thead>
<tbody>
${behindFirst.map((freshness) => renderRow(freshness, now)).join('\n')}
</tbody></table></div>`;
}

function renderRow(freshness: Freshness, now: Instant): string {
  const { dataset, state, lastSuccessAt, lastChangeAt } = freshness;
  const since = lateSince(freshness);
  const late = since === null ? '' : `<small>since ${clockText(since)}, ${ago(since, now)}</small>`;
  return `<tr><th scope="row">${escapeHtml(nameOf(dataset))}</th>
<td><span class="state ${state}">${STATE_WORDS[state]}</span>${late}</td>
<td class="number"><b>Last good answer</b>${moment(lastSuccessAt, now)}</td>
<td class="number"><b>Last change</b>${moment(lastChangeAt, now)}</td></tr>`;
}

function isBehind({ state }: Freshness): boolean {
  return state === 'late' || state === 'failing';
}

/** Since when something newer was due; null for what is not late. */
function lateSince(freshness: Freshness): Instant | null {
  const { lastSuccessAt, targetSeconds } = freshness;
  if (!isBehind(freshness) || lastSuccessAt === null) return null;
  return lastSuccessAt + (targetSeconds ?? 0) * 1000;
}

function ageSeconds({ lastSuccessAt }: Freshness, now: Instant): number | null {
  return lastSuccessAt === null ? null : Math.max(0, Math.round((now - lastSuccessAt) / 1000));
}

function instantOrNull(at: Instant | null): string | null {
  return at === null ? null : formatInstant(at);
}

/** `economic-events` as words. */
function nameOf(dataset: string): string {
  const words = dataset.replaceAll('-', ' ');
  return words === 'ipos' ? 'IPOs' : words.charAt(0).toUpperCase() + words.slice(1);
}

function moment(at: Instant | null, now: Instant): string {
  if (at === null) return '–';
  return `${ago(at, now)}<small>${clockText(at)}</small>`;
}

/** A duration in its most readable unit: `45 s`, `15 min`, `3 h`, `2 d`. */
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

/** To the minute, in UTC; the exact instant is in the JSON. */
function clockText(at: Instant): string {
  const text = formatInstant(at);
  return `<time datetime="${text}">${text.slice(0, 10)} ${text.slice(11, 16)} UTC</time>`;
}

function newYork(at: Instant): string {
  const text = formatNewYork(at);
  return `<time datetime="${text}">${text.slice(0, 10)} ${text.slice(11, 16)} New York</time>`;
}
