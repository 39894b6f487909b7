import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { decodeDocument } from '../../../platform/decode-document.ts';
import { readRelease } from './read-release.ts';

/** Folder with recorded releases. The tests are skipped if it does not exist. */
const root = join(process.env['AFTERBELL_RECORDINGS'] ?? '/nonexistent', 'sec-exhibits');

const RIGHT_SHARE_MIN = 0.98;
const TOLD_SHARE_MIN = 0.92;

interface Share {
  wanted: number;
  told: number;
  right: number;
}

type Row = Readonly<Record<string, string>>;

describe.skipIf(!existsSync(join(root, 'truth.csv')))('recorded releases', () => {
  const rows = existsSync(join(root, 'truth.csv')) ? readTruth() : [];

  it.each([
    ['epsDilutedGaap', 'eps_diluted_gaap'],
    ['revenue', 'revenue'],
    ['periodEnd', 'period_end'],
  ] as const)('have a right %s almost always', (field, column) => {
    const share: Share = { wanted: 0, told: 0, right: 0 };
    const wrong: string[] = [];
    for (const { truth, release } of rows) {
      const value = release[field]?.value ?? '';
      const wanted = truth[column] ?? '';
      if (wanted !== '') share.wanted++;
      if (value === '') continue;
      share.told++;
      if (isRight(value, wanted)) share.right++;
      else wrong.push(`${truth['company']}: ${value} instead of ${wanted || 'nothing'}`);
    }
    const shares = { told: share.told / share.wanted, right: share.right / share.told, wrong };
    expect(shares.right, JSON.stringify(shares)).toBeGreaterThanOrEqual(RIGHT_SHARE_MIN);
    expect(shares.told, JSON.stringify(shares)).toBeGreaterThanOrEqual(TOLD_SHARE_MIN);
  });

  it('have nothing that is taken from documents without results', () => {
    const negatives = rows.filter(({ truth }) => truth['period_end'] === '');
    expect(negatives.length).toBeGreaterThan(0);
    for (const { release } of negatives) {
      const { refused, opening: _opening, ...values } = release;
      expect(new Set(Object.values(values))).toEqual(new Set([null]));
      expect(refused).toHaveLength(1);
    }
  });

  it('have a cell for every value', () => {
    for (const { source, release } of rows) {
      for (const figure of [release.epsDilutedGaap, release.revenue]) {
        if (figure === null) continue;
        expect(source.slice(figure.offset, figure.offset + 1)).toMatch(/[\d.$(€£-]/);
        expect(figure.row).not.toBe('');
      }
    }
  });
});

function readTruth(): { truth: Row; source: string; release: ReturnType<typeof readRelease> }[] {
  const [head = '', ...lines] = readFileSync(join(root, 'truth.csv'), 'utf8').trim().split('\n');
  const names = head.split(',');
  return lines.map((line) => {
    const values = line.match(/(?:"(?:[^"]|"")*"|[^,]*)(?:,|$)/g) ?? [];
    const truth = Object.fromEntries(
      names.map((name, index) => [name, (values[index] ?? '').replace(/,$/, '')]),
    );
    const folder = join(root, truth['accession'] ?? '');
    const plain = join(folder, 'body');
    const bytes = existsSync(plain)
      ? readFileSync(plain)
      : gunzipSync(readFileSync(join(folder, 'body.gz')));
    const source = decodeDocument(bytes);
    return { truth, source, release: readRelease(source) };
  });
}

/** A figure that was noted from a rounded place agrees with the same figure to the last digit. */
function isRight(value: string, wanted: string): boolean {
  if (value === wanted) return true;
  if (wanted === '' || !/^-?[\d.]+$/.test(wanted)) return false;
  const zeros = /^-?\d*?(0*)$/.exec(wanted)?.[1]?.length ?? 0;
  const tolerance = zeros > 0 ? 10 ** zeros / 2 : 0;
  return Math.abs(Number(value) - Number(wanted)) <= tolerance;
}
