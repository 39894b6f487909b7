import { describe, expect, it } from 'vitest';
import {
  htmlRelease,
  plainCells,
  table,
} from '../../../../test/support/releases/release-markup.ts';
import { readRelease, type Release } from './read-release.ts';

const STATEMENT = plainCells(
  table(`
    | Three Months Ended June 30, ×2
    | 2026 | 2025
    ---
    Net sales (in millions) | $500.0 | $400.0
    Net income | $50.0 | $40.0
    Diluted earnings per share | $0.50 | $0.40
  `),
);

function read(...texts: readonly string[]): Release {
  return readRelease(
    htmlRelease('HERONVILLE, July 23, 2026 - Heron Corp. reported results.', ...texts, STATEMENT),
  );
}

describe('the conference call', () => {
  it.each([
    ['The call is on July 24, 2026 at 8:30 a.m. Eastern Time.', '2026-07-24T12:30:00Z'],
    ['A conference call will be held today at 5 p.m. ET.', '2026-07-23T21:00:00Z'],
    ['Heron will host a webcast tomorrow at 10:00 AM (CT).', '2026-07-24T15:00:00Z'],
    [
      'The conference call begins at 2:00 p.m. Pacific Time (5:00 p.m. Eastern Time) on Thursday, July 23.',
      '2026-07-23T21:00:00Z',
    ],
    [
      'A conference call will be held on July 28, 2026. The call begins at 9 a.m. EDT.',
      '2026-07-28T13:00:00Z',
    ],
    [
      'The earnings call takes place at 7:00 a.m. New York time on 5 August 2026.',
      '2026-08-05T11:00:00Z',
    ],
    ['The call will start at 12:00 noon ET on July 24.', '2026-07-24T16:00:00Z'],
  ])('is read from %j', (text, instant) => {
    expect(read(text).callAt?.value).toBe(instant);
  });

  it('has standard time in winter', () => {
    const text = 'The conference call is on November 24, 2026 at 8:30 a.m. Eastern Time.';
    expect(read(text).callAt?.value).toBe('2026-11-24T13:30:00Z');
  });

  it('keeps the address of the webcast', () => {
    const text =
      'A conference call is today at 5 p.m. ET. Listen at https://heron.example/ir/call.';
    expect(read(text).callAt?.link).toBe('https://heron.example/ir/call');
  });

  it.each([
    'A replay of the call is available until July 30, 2026 at 11:59 p.m. ET.',
    'The conference call is on July 24, 2026 at 8:30 a.m.',
    'A conference call will be held at 8:30 a.m. ET.',
    'The office opens on July 24, 2026 at 8:30 a.m. ET.',
  ])('is not guessed from %j', (text) => {
    expect(read(text).callAt).toBeNull();
  });
});

describe('the next report', () => {
  it('is read from an announcement', () => {
    const text = 'Heron expects to report its third quarter results on October 22, 2026.';
    expect(read(text).nextReportOn).toMatchObject({ value: '2026-10-22', unit: 'date' });
  });

  it('is not the date of this release', () => {
    const text = 'Heron will report second quarter results on July 24, 2026.';
    expect(read(text).nextReportOn).toBeNull();
  });
});

describe('guidance', () => {
  it.each([
    [
      'For the third quarter, Heron expects revenue of $510 million to $520 million.',
      { metric: 'revenue', period: 'quarter', low: '510000000', high: '520000000', unit: 'USD' },
    ],
    [
      'The company expects full year 2026 diluted earnings per share between $2.05 and $2.15.',
      { metric: 'eps', period: 'year', low: '2.05', high: '2.15', unit: 'USD/share' },
    ],
    [
      'Guidance for fiscal 2026: adjusted diluted earnings per share of $2.30 - $2.40.',
      { metric: 'epsAdjusted', period: 'year', low: '2.3', high: '2.4', unit: 'USD/share' },
    ],
    [
      'Net sales for the year are expected to be in the range of $1.9 to $2.1 billion.',
      { metric: 'revenue', low: '1900000000', high: '2100000000' },
    ],
  ])('is read from %j', (text, guidance) => {
    expect(read(text).guidance).toMatchObject([guidance]);
  });

  it('is read from a table of ranges', () => {
    const rows =
      '<table><tr><td>Total revenue</td><td>$510 million to $520 million</td></tr></table>';
    expect(read('Third quarter outlook', rows).guidance).toMatchObject([
      { metric: 'revenue', period: 'quarter', low: '510000000', high: '520000000' },
    ]);
  });

  it.each([
    'Revenue was between $400 million and $500 million in each of the last four quarters.',
    'Heron expects capital expenditures of $20 million to $25 million.',
    'Heron expects revenue growth of 5% to 7%.',
  ])('is not guessed from %j', (text) => {
    expect(read(text).guidance).toBeNull();
  });
});
