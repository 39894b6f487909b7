import { formatInstant } from '../../platform/instant.ts';
import type { Instant } from '../../platform/instant.ts';
import type { DataSource } from '../answer/stored-answer.ts';
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
  ready: boolean;
  dataSource: DataSource;
  now: Instant;
  datasets: readonly Freshness[];
}

/** The body of `/status` for programs. */
export function statusJson(report: StatusReport) {
  return {
    status: report.ready ? 'ready' : 'starting',
    dataSource: report.dataSource,
    synthetic: report.dataSource === 'synthetic',
    timestamp: formatInstant(report.now),
    datasets: report.datasets.map((freshness) => ({
      dataset: freshness.dataset,
      state: freshness.state,
      lastSuccessAt: instantOrNull(freshness.lastSuccessAt),
      lastChangeAt: instantOrNull(freshness.lastChangeAt),
      ageSeconds: ageSeconds(freshness, report.now),
      targetSeconds: freshness.targetSeconds,
    })),
  };
}

/** The same for people. */
export function renderStatus(report: StatusReport, brand: string): string {
  const rows = report.datasets.map((freshness) => renderRow(freshness, report.now)).join('\n');
  const note =
    report.dataSource === 'synthetic' ? '<p class="note">Simulated market: made-up data.</p>' : '';
  const table =
    report.datasets.length === 0
      ? '<p>No data set has reported yet.</p>'
      : `<div class="scroll"><table>
<thead><tr><th>Data set</th><th>State</th><th>Age</th><th>Target</th><th>Last change</th></tr></thead>
<tbody>
${rows}
</tbody></table></div>`;
  const main = `
<h1>${report.ready ? 'Answering.' : 'Starting up.'}</h1>
<p class="lead">As of ${formatInstant(report.now)}.</p>
${note}
<h2>Freshness</h2>
${table}`;
  return renderPage({ title: `Status of ${brand}`, brand, main });
}

function renderRow(freshness: Freshness, now: Instant): string {
  const { dataset, state, targetSeconds, lastChangeAt } = freshness;
  return `<tr><td>${escapeHtml(dataset)}</td><td><span class="state ${state}">${state}</span></td>
<td class="number">${duration(ageSeconds(freshness, now))}</td>
<td class="number">${duration(targetSeconds)}</td>
<td class="number">${instantOrNull(lastChangeAt) ?? '–'}</td></tr>`;
}

function ageSeconds({ lastSuccessAt }: Freshness, now: Instant): number | null {
  return lastSuccessAt === null ? null : Math.max(0, Math.round((now - lastSuccessAt) / 1000));
}

function instantOrNull(at: Instant | null): string | null {
  return at === null ? null : formatInstant(at);
}

function duration(seconds: number | null): string {
  if (seconds === null) return '–';
  if (seconds < 120) return `${seconds} s`;
  if (seconds < 7_200) return `${Math.round(seconds / 60)} min`;
  return seconds < 172_800
    ? `${Math.round(seconds / 3_600)} h`
    : `${Math.round(seconds / 86_400)} d`;
}
