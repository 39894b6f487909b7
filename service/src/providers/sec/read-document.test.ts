import { describe, expect, it } from 'vitest';
import { htmlRelease, plainCells, table } from '../../../test/support/releases/release-markup.ts';
import { type DocumentRecord, readDocument } from './read-document.ts';

const URL =
  'https://www.sec.gov/Archives/edgar/data/1900001/000190000126000041/0001900001-26-000041-index.html';

function recordsOf(text: string, status = 200): DocumentRecord[] {
  const reading = readDocument({ text, url: URL, status });
  return 'records' in reading ? reading.records : [];
}

/** Attributes without quotes and without the class of a fact, as some copies of a page have them. */
const INDEX_PAGE = `<!doctype html><title>EDGAR Filing Documents for 0001900001-26-000041</title>
<div id=formName><strong>Form 8-K</strong> - Current report: <div id=secNum><strong>SEC Accession
<acronym title=Number>No.</acronym></strong> 0001900001-26-000041</div></div>
<div>Filing Date<div>2026-11-20</div></div><div>Accepted</div><div>2026-11-19 17:45:00</div>
<div>Period of Report</div><div>2026-11-19</div>
<div>Items</div><div>Item 2.02: Results<br>Item 9.01: Exhibits<br></div>
<table><tr><th>Seq<th>Description<th>Document<th>Type<th>Size
<tr><td>1<td>8-K<td><a href=/ix?doc=/a.htm>a.htm</a> &nbsp;<span>iXBRL</span><td>8-K<td>9
<tr><td>2<td>PRESS RELEASE<td><a href=/b.htm>b.htm</a><td>EX-99.1<td>9
<tr><td>&nbsp;<td>Complete submission text file<td>c.txt<td>&nbsp;<td>9</table>
<span class=companyName>Kestrel Corp (Filer) <acronym>CIK</acronym>: <a>0001900001 (see all
company filings)</a></span>`;

const HEADER = `<SEC-HEADER>0001900001-26-000041.hdr.sgml : 20261120
<ACCEPTANCE-DATETIME>20261119174500
<ACCESSION-NUMBER>0001900001-26-000041
<TYPE>8-K
<PERIOD>20261119
<ITEMS>2.02
<ITEMS>9.01
<FILING-DATE>20261120
<FILER>
<COMPANY-DATA>
<CONFORMED-NAME>Kestrel Corp
<CIK>0001900001
</COMPANY-DATA>
</FILER>
</SEC-HEADER>`;

const SUBMISSION = `-----BEGIN PRIVACY-ENHANCED MESSAGE-----
<SEC-HEADER>
<ACCEPTANCE-DATETIME>20261119174500
ACCESSION NUMBER:		0001900001-26-000041
CONFORMED SUBMISSION TYPE:	8-K
CONFORMED PERIOD OF REPORT:	20261119
ITEM INFORMATION:		Results of Operations and Financial Condition
ITEM INFORMATION:		Financial Statements and Exhibits
FILED AS OF DATE:		20261120
	COMPANY DATA:
		COMPANY CONFORMED NAME:			Kestrel Corp
		CENTRAL INDEX KEY:			0001900001
</SEC-HEADER>
`;
const DOCUMENTS = `<DOCUMENT>
<TYPE>8-K
<SEQUENCE>1
<FILENAME>a.htm
<DESCRIPTION>8-K
<TEXT></TEXT>
</DOCUMENT>
<DOCUMENT>
<TYPE>EX-99.1
<SEQUENCE>2
<FILENAME>b.htm
<DESCRIPTION>PRESS RELEASE
<TEXT></TEXT>
</DOCUMENT>`;

const FILING = {
  kind: 'filing',
  accession: '0001900001-26-000041',
  cik: '0001900001',
  form: '8-K',
  items: ['2.02', '9.01'],
  acceptedAt: '2026-11-19T22:45:00Z',
  filingDate: '2026-11-20',
  reportDate: '2026-11-19',
  filers: [{ cik: '0001900001', name: 'Kestrel Corp' }],
  documents: [
    { sequence: 1, type: '8-K', filename: 'a.htm', description: '8-K' },
    { sequence: 2, type: 'EX-99.1', filename: 'b.htm', description: 'PRESS RELEASE' },
  ],
};

describe('EDGAR documents', () => {
  const escaped = DOCUMENTS.replaceAll('<', '&lt;').replaceAll('>', '&gt;');

  it.each([
    ['an index page', INDEX_PAGE],
    [
      'a header page',
      `<HTML><HEAD><TITLE>SEC EDGAR Submission 1</TITLE>\n<!--\n${HEADER}\n-->\n` +
        `</HEAD><BODY><PRE>${escaped}</PRE></BODY></HTML>`,
    ],
    ['a full submission', SUBMISSION + DOCUMENTS],
  ])('returns the same filing from %s', (_, text) => {
    expect(recordsOf(text)[0]).toEqual(FILING);
  });

  it('names the item numbers of a submission, whose header has only titles', () => {
    const title = 'Departure of Directors or Certain Officers; Election of Directors';
    const text = SUBMISSION.replace('Results of Operations and Financial Condition', title);
    expect(recordsOf(text)[0]).toMatchObject({ items: ['5.02', '9.01'] });
  });

  it('returns the releases of a submission, with cells in the submission', () => {
    const exhibit = htmlRelease(
      'Results for the quarter ended June 30, 2026',
      plainCells(
        table(`
          | Three Months Ended June 30, ×2
          | 2026 | 2025
          ---
          Net sales (in millions) | $500.0 | $400.0
          Diluted earnings per share | $0.50 | $0.40
        `),
      ),
    );
    const text = `${SUBMISSION}${DOCUMENTS.replaceAll('EX-99.1', 'GRAPHIC')}\n${exhibit}\n`;
    const [filing, release, ...rest] = recordsOf(text);
    expect(filing).toMatchObject({ kind: 'filing', accession: FILING.accession });
    expect(rest).toEqual([]);
    expect(release).toMatchObject({
      kind: 'release',
      accession: FILING.accession,
      form: '8-K',
      exhibit: 'EX-99.1',
      periodEnd: { value: '2026-06-30', unit: 'date' },
      currency: { value: 'USD' },
      epsDilutedGaap: { value: 0.5, unit: 'USD/share', row: 'Diluted earnings per share' },
      revenue: { value: 500_000_000, unit: 'USD', offset: text.indexOf('$500.0') },
      refused: [],
    });
  });

  it('returns a release without values, and the reason, for an exhibit of pictures', () => {
    const text =
      '<DOCUMENT>\n<TYPE>EX-99.1\n<TEXT><html><img src="a.jpg"></html></TEXT></DOCUMENT>';
    expect(recordsOf(text)).toEqual([
      {
        kind: 'release',
        accession: FILING.accession,
        form: null,
        exhibit: 'EX-99.1',
        periodEnd: null,
        currency: null,
        epsDilutedGaap: null,
        epsAdjusted: null,
        revenue: null,
        guidance: null,
        callAt: null,
        nextReportOn: null,
        refused: [{ field: 'document', reason: 'no-text' }],
      },
    ]);
  });

  it('returns the files of a folder, from its page and from its JSON', () => {
    const file = { name: 'form.idx', size: '644 KB', lastModified: '10/01/2026 10:18:28 PM' };
    const row = '<tr><td><a href="form.idx">form.idx</a></td><td>644 KB</td>';
    const page =
      '<title>Directory listing of daily-index</title><table><tr><th>Name</th><th>Size</th>' +
      `<th>Last Modified</th>${row}<td>10/01/2026 10:18:28 PM</td></tr></table>`;
    expect(recordsOf(page)).toEqual([{ kind: 'folder', files: [file] }]);
    const item = {
      name: file.name,
      size: '',
      type: 'text.gif',
      'last-modified': file.lastModified,
    };
    const json = JSON.stringify({ directory: { item: [item] } });
    expect(recordsOf(json)).toEqual([{ kind: 'folder', files: [{ ...file, size: null }] }]);
  });

  it.each([
    ['', 200, 'empty-body'],
    ['', 304, 'not-modified'],
    ['<html>undergoing maintenance</html>', 503, 'http-503'],
    [
      '<html>Your Request Originates from an Undeclared Automated Tool</html>',
      403,
      'undeclared-or-too-fast',
    ],
    ['{"facts":{}}', 200, 'not-an-edgar-page'],
    ['{"cut off', 200, 'not-an-edgar-page'],
  ])('returns the reason why %j with status %i cannot be read', (text, status, reason) => {
    expect(recordsOf(text, status)).toEqual([
      { kind: 'unreadable', refused: [{ field: 'document', reason }] },
    ]);
  });
});
