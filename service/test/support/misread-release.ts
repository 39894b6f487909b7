import {
  companyfacts,
  companyfactsUrl,
  submissions,
  submissionsUrl,
  tickers,
  TICKERS_URL,
} from './write-recording.ts';

const CIK = '0001900001';
const URL = 'https://www.sec.gov/Archives/edgar/data/1900001/000190000126000001/ex991.htm';

const RELEASE = `<html><body>
<p>Ostrava Instruments Inc. (NYSE: OSTR) Reports Third Quarter 2026 Results</p>
<p>Consolidated Statements of Operations (in thousands, except per share amounts)</p>
<table>
<tr><td></td><td colspan="2">Three Months Ended September 30,</td></tr>
<tr><td></td><td>2026</td><td>2025</td></tr>
<tr><td>Revenue</td><td>$410,200</td><td>$372,900</td></tr>
<tr><td>Cost of revenue &lt;b&gt;net&lt;/b&gt;</td><td>250,100</td><td>231,000</td></tr>
<tr><td>Net income</td><td>30,100</td><td>26,700</td></tr>
<tr><td>Net income per share, basic</td><td>1.50</td><td>1.33</td></tr>
<tr><td>Net income per share, diluted</td><td>$1.46</td><td>$1.29</td></tr>
</table>
</body></html>`;

/**
 * Returns recorded responses about one company whose press release has another revenue for the year
 * before than XBRL, so that its revenue is quarantined. The label of the next row contains markup as text.
 */
export function misreadRelease(): {
  path: string;
  url: string;
  body: string;
  contentType: string;
}[] {
  const json = (path: string, url: string, body: object) => {
    return { path, url, body: JSON.stringify(body), contentType: 'application/json' };
  };
  const quarter = { start: '2025-07-01', end: '2025-09-30', fp: 'Q3', revenue: 355_000_000 };
  return [
    json('1-tickers', TICKERS_URL, tickers([Number(CIK), 'Ostrava Instruments Inc.', 'OSTR'])),
    json(
      '2-submissions',
      submissionsUrl(CIK),
      submissions(CIK, 'OSTR', ['2026-11-05T21:05:00.000Z']),
    ),
    json('3-companyfacts', companyfactsUrl(CIK), companyfacts(CIK, [quarter])),
    { path: '4-release', url: URL, body: RELEASE, contentType: 'text/html' },
  ];
}
