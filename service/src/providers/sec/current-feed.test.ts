import { describe, expect, it } from 'vitest';
import { mergeFeedRows, readCurrentFeed } from './current-feed.ts';

const PARENT = '0001900001';
const SUBSIDIARY = '0001900002';
const PERSON = '0000900003';
const ACCESSION = '0001900001-26-000041';

interface EntryOptions {
  accession?: string;
  title?: string;
  form?: string;
  updated?: string;
  items?: readonly string[];
}

function entry(options: EntryOptions = {}): string {
  const { accession = ACCESSION, form = '8-K', updated = '2026-11-19T16:21:05-05:00' } = options;
  const { title = `8-K - Kestrel &amp;amp; Sons (${PARENT}) (Filer)` } = options;
  const items = (options.items ?? ['2.02', '9.01']).map(
    (item) => `\n&lt;br&gt;Item ${item}: Words`,
  );
  return `<entry>
<title>${title}</title>
<link rel="alternate" type="text/html" href="https://www.sec.gov/Archives/edgar/data/1/x-index.htm"/>
<summary type="html">
 &lt;b&gt;Filed:&lt;/b&gt; 2026-11-19 &lt;b&gt;AccNo:&lt;/b&gt; ${accession} &lt;b&gt;Size:&lt;/b&gt; 10 KB${items.join('')}
</summary>
<updated>${updated}</updated>
<category scheme="https://www.sec.gov/" label="form type" term="${form}"/>
<id>urn:tag:sec.gov,2008:accession-number=${accession}</id>
</entry>`;
}

function feed(...entries: readonly string[]): string {
  return `<?xml version="1.0" encoding="ISO-8859-1" ?>
<feed xmlns="http://www.w3.org/2005/Atom">
<title>Latest Filings</title>
<updated>2026-11-19T16:30:00-05:00</updated>
${entries.join('\n')}
</feed>`;
}

describe('the feed of current filings', () => {
  it('reads the form, the items and the acceptance time with its offset', () => {
    expect(readCurrentFeed(feed(entry()))).toEqual({
      rows: [
        {
          accession: ACCESSION,
          cik: PARENT,
          name: 'Kestrel & Sons',
          role: 'Filer',
          form: '8-K',
          items: ['2.02', '9.01'],
          acceptedAt: Date.UTC(2026, 10, 19, 21, 21, 5),
        },
      ],
      bad: [],
    });
  });

  it('takes the form from the category, because a query for 8-K also returns 8-K/A', () => {
    const title = `8-K/A - Kestrel (${PARENT}) (Filer)`;
    expect(readCurrentFeed(feed(entry({ title, form: '8-K/A' }))).rows[0]?.form).toBe('8-K/A');
  });

  it.each([
    ['bad-accession', { accession: 'none' }],
    ['bad-cik', { title: '8-K - a title without a filer' }],
    ['bad-time', { updated: 'yesterday' }],
  ])('reports an entry with %s and reads the others', (reason, options) => {
    const { rows, bad } = readCurrentFeed(feed(entry(options), entry()));
    expect(rows).toHaveLength(1);
    expect(bad).toMatchObject([{ reason }]);
  });

  it('skips the last entry of a page that was cut off', () => {
    const page = feed(entry(), entry({ accession: '0001900001-26-000042' }));
    const cut = page.slice(0, page.lastIndexOf('<category'));
    expect(readCurrentFeed(cut).rows.map(({ accession }) => accession)).toEqual([ACCESSION]);
  });

  it.each(['', '<html><body>503</body></html>', '<feed><entry><title>', '\0<<<>>>'])(
    'finds no rows in %j',
    (text) => {
      expect(readCurrentFeed(text)).toEqual({ rows: [], bad: [] });
    },
  );
});

describe('merging pages of the feed', () => {
  const { rows } = readCurrentFeed(
    feed(
      entry({ title: `4 - A Person (${PERSON}) (Reporting)`, form: '4', items: [] }),
      entry({ title: `4 - Subsidiary (${SUBSIDIARY}) (Issuer)`, form: '4', items: [] }),
      entry({ title: `4 - Parent (${PARENT}) (Issuer)`, form: '4', items: [] }),
      entry({ accession: '0000900009-26-000001', updated: '2026-11-19T16:00:00-05:00' }),
    ),
  );

  it('returns a filing with several filers once, under the company that files it', () => {
    expect(mergeFeedRows(rows)).toMatchObject([
      { accession: ACCESSION, cik: PARENT, form: '4', items: [] },
      { accession: '0000900009-26-000001', cik: PARENT, form: '8-K', items: ['2.02', '9.01'] },
    ]);
  });

  it('returns the same result for repeated rows in any order', () => {
    const shuffled = [...rows.toReversed(), ...rows];
    expect(mergeFeedRows(shuffled)).toEqual(mergeFeedRows(rows));
  });
});
