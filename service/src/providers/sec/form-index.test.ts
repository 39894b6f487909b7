import { expect, test } from 'vitest';
import { isFormIndex, readFormIndex } from './form-index.ts';

const EXPECTED = {
  accession: '0001900001-26-000041',
  cik: '0001900001',
  company: 'Kestrel Corp',
  form: '8-K',
  filingDate: '2026-11-19',
};
const LONG = "CORMORANT PLANNERS' FINANCIAL SERVICES OF AMERICA A LIMITED PARTNERSHIP";

const HEADERS = {
  form: 'Form Type   Company Name                    CIK         Date Filed  File Name',
  company:
    'Company Name                    Form Type   CIK         Date Filed  File Name           ',
  master: 'CIK|Company Name|Form Type|Date Filed|Filename',
};

function index(header: string, ...lines: readonly string[]): string {
  const start = 'Description:           Daily Index of EDGAR Dissemination Feed\r\n \r\n';
  return `${start}${header}\r\n${'-'.repeat(100)}\r\n${lines.join('\r\n')}\r\n`;
}

test.each([
  [
    'form',
    '8-K         Kestrel Corp                    1900001     20261119    edgar/data/1900001/0001900001-26-000041.txt   ',
  ],
  [
    'company',
    'Kestrel Corp                    8-K         1900001     2026-11-19  edgar/data/1900001/0001900001-26-000041.txt',
  ],
  ['master', '1900001|Kestrel Corp|8-K|2026-11-19|edgar/data/1900001/0001900001-26-000041.txt'],
] as const)('reads an index by %s with the places of its header line', (kind, line) => {
  const text = index(HEADERS[kind], line);
  expect(isFormIndex(text)).toBe(true);
  expect(readFormIndex(text)).toEqual({ rows: [EXPECTED], bad: [] });
});

test('reads a line whose name is longer than its column', () => {
  const line = `X-17A-5     ${LONG}  1900001     2026-11-19  edgar/data/1900001/0001900001-26-000041.txt`;
  expect(readFormIndex(index(HEADERS.form, line)).rows).toEqual([
    { ...EXPECTED, form: 'X-17A-5', company: LONG },
  ]);
});

test('reports an unreadable line and reads the others', () => {
  const good = '1900001|Kestrel Corp|8-K|2026-11-19|edgar/data/1900001/0001900001-26-000041.txt';
  const text = index(HEADERS.master, '1900001|Kestrel Corp|8-K|2026-13-40|edgar/none', good);
  expect(readFormIndex(text)).toMatchObject({
    rows: [EXPECTED],
    bad: [{ reason: 'unreadable-line' }],
  });
});

test('does not take other texts for an index', () => {
  expect(isFormIndex('The CIK and Form Type of a filing')).toBe(false);
  expect(readFormIndex('')).toEqual({ rows: [], bad: [] });
});
