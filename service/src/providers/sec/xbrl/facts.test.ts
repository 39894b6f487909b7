import { describe, expect, it } from 'vitest';
import { readFacts } from './facts.ts';

const GOOD = {
  start: '2025-01-01',
  end: '2025-03-31',
  val: 94036000000,
  accn: '0001900001-25-000010',
  fy: 2025,
  fp: 'Q1',
  form: '10-Q',
  filed: '2025-05-01',
};
const ABOUT = { dataset: 'earnings', entityKey: 'CIK0001900001' } as const;

describe('XBRL facts', () => {
  it('reads the value of a fact as decimal text', () => {
    expect(readFacts('Revenues', [GOOD], ABOUT)).toEqual({
      facts: [
        {
          tag: 'Revenues',
          start: '2025-01-01',
          end: '2025-03-31',
          value: '94036000000',
          accession: '0001900001-25-000010',
          form: '10-Q',
          filedDate: '2025-05-01',
          filingYear: 2025,
          filingPeriod: 'Q1',
        },
      ],
      bad: [],
    });
  });

  it.each([
    [{ val: '94036000000' }, 'bad-number'],
    [{ val: null }, 'bad-number'],
    [{ val: 1e-320 }, 'bad-number'],
    [{ val: -1e18 }, 'bad-number'],
    [{ end: '2025-02-30' }, 'bad-date'],
    [{ start: '2025-04-01' }, 'bad-date'],
    [{ start: null }, 'bad-date'],
    [{ filed: 20250501 }, 'bad-date'],
    [{ accn: '' }, 'bad-accession'],
    [{ form: undefined }, 'missing-field'],
  ])('rejects a fact with %j as %s', (change, reason) => {
    const { facts, bad } = readFacts('Revenues', [{ ...GOOD, ...change }], ABOUT);
    expect(facts).toEqual([]);
    expect(bad).toMatchObject([{ ...ABOUT, reason }]);
  });

  it.each(['10-Q/A', '10-K', '10-K405', '10-KT/A', '20-F', '40-F/A'])(
    'includes a fact from the form %s',
    (form) => {
      expect(readFacts('Revenues', [{ ...GOOD, form }], ABOUT).facts).toHaveLength(1);
    },
  );

  it.each(['8-K', 'DEF 14A', '10-QT', 'S-1', ''])('skips a fact from the form %j', (form) => {
    const broken = { ...GOOD, form, val: 'x' };
    expect(readFacts('Revenues', [broken], ABOUT)).toEqual({ facts: [], bad: [] });
  });

  it('reads no filing year for fiscal year 0', () => {
    expect(readFacts('Revenues', [{ ...GOOD, fy: 0 }], ABOUT).facts[0]?.filingYear).toBeNull();
  });

  it('rejects a fact that is not an object, and a list of facts that is not a list', () => {
    expect(readFacts('Revenues', [7], ABOUT).bad).toMatchObject([{ reason: 'not-an-object' }]);
    expect(readFacts('Revenues', 'x', ABOUT).bad).toMatchObject([{ reason: 'not-an-object' }]);
  });
});
