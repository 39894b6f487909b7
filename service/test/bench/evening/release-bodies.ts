import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { decodeDocument } from '../../../src/platform/decode-document.ts';
import { readRelease } from '../../../src/providers/sec/release/read-release.ts';
import { releaseOf } from '../../support/hosts/edgar-host.ts';

/** Size of made-up releases, which is the median of the recorded ones. */
const BODY_CHARS = 350_000;

/** Returns the text of a release for a company. */
export type ReleaseBody = (company: { name: string; symbol: string }) => string;

/**
 * Returns the releases of a folder of recordings that state EPS, all of the same quarter, under the
 * names of fictional companies. Without recordings, returns made-up releases of the same size.
 */
export function releaseBodies(root: string | undefined): ReleaseBody[] {
  const recorded = root === undefined ? [] : recordedReleases(join(root, 'sec-exhibits'));
  if (recorded.length > 0) return recorded.map((text) => (company) => underName(text, company));
  const figures = { eps: '1.21', epsYearAgo: '1.02', revenue: 412_000, revenueYearAgo: 380_500 };
  const quarter = { end: '2020-03-31', number: 1 as const };
  const row = '<tr><td style="font-size:10pt">Other assets</td><td>1,234</td><td>1,111</td></tr>\n';
  const padding = `<p>Balance Sheets</p><table>${row.repeat(BODY_CHARS / row.length)}</table>`;
  return [
    (company) => releaseOf(company, figures, quarter).replace('</body>', `${padding}</body>`),
  ];
}

function recordedReleases(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .flatMap(({ name }) => {
      const file = readdirSync(join(folder, name)).find((each) => each.startsWith('body'));
      if (file === undefined) return [];
      const bytes = readFileSync(join(folder, name, file));
      const text = decodeDocument(file.endsWith('.gz') ? gunzipSync(bytes) : bytes);
      const { periodEnd, epsDilutedGaap } = readRelease(text);
      const isUsable = epsDilutedGaap !== null && periodEnd?.value === '2020-03-31';
      return isUsable ? [text] : [];
    });
}

function underName(text: string, { name, symbol }: { name: string; symbol: string }): string {
  const opening = `<p>${name} (Nasdaq: ${symbol})</p>`;
  const body = /<body[^>]*>|<text>/i.exec(text);
  const start = body === null ? 0 : body.index + body[0].length;
  return `${text.slice(0, start)}${opening}${text.slice(start)}`;
}
