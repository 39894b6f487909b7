import { describe, expect, it } from 'vitest';
import { formatInstant } from '../../../platform/instant.ts';
import { parseAcceptance, parseNewYorkAcceptance } from './acceptance-text.ts';

describe('EDGAR acceptance times', () => {
  it.each([
    '2026-01-29T16:30:33.000Z',
    '2026-01-29T16:30:33Z',
    '2026-01-29 16:30:33',
    '20260129163033',
  ])('reads an acceptance time written as %s as both UTC and New York time', (text) => {
    const reading = parseAcceptance(text);
    expect(reading).toEqual({
      ifNewYork: Date.UTC(2026, 0, 29, 21, 30, 33),
      ifUtc: Date.UTC(2026, 0, 29, 16, 30, 33),
    });
  });

  it('keeps the milliseconds of an acceptance time', () => {
    expect(parseAcceptance('2026-07-29T16:30:33.250Z')).toEqual({
      ifNewYork: Date.UTC(2026, 6, 29, 20, 30, 33, 250),
      ifUtc: Date.UTC(2026, 6, 29, 16, 30, 33, 250),
    });
  });

  it('treats an acceptance time with a numeric offset as certain', () => {
    expect(parseAcceptance('2026-01-29T16:30:33-05:00')).toEqual({
      certain: Date.UTC(2026, 0, 29, 21, 30, 33),
    });
  });

  it.each([
    '',
    '2026-01-29',
    '2026-02-30T16:30:33.000Z',
    '2026-01-29T24:00:00.000Z',
    '2026-01-29T16:60:00.000Z',
    '20260129166033',
    '2026-01-29T16:30Z',
    ' 2026-01-29T16:30:33Z',
    '2026-02-30T16:30:33-05:00',
    'x2026-01-29 16:30:33',
  ])('returns null for an acceptance time written as %j', (text) => {
    expect(parseAcceptance(text)).toBeNull();
  });

  it('reads the acceptance time on an index page as New York time, in winter and in summer', () => {
    const texts = ['2023-03-10 16:05:22', '2023-03-15 16:05:22', '20230315160522'];
    expect(texts.map((text) => formatInstant(parseNewYorkAcceptance(text) ?? 0))).toEqual([
      '2023-03-10T21:05:22Z',
      '2023-03-15T20:05:22Z',
      '2023-03-15T20:05:22Z',
    ]);
  });
});
