import type { LocalDate } from '../../../domain/local-date.ts';
import { formatNewYork, newYorkDate } from '../../../domain/new-york.ts';
import type { Instant } from '../../../platform/instant.ts';
import type { SimulatedFiling } from './filing.ts';

/** Pages about filings, in the shape in which EDGAR writes them. */

const ITEM_WORDS: Readonly<Record<string, string>> = {
  '2.02': 'Results of Operations and Financial Condition',
  '5.02': 'Departure of Directors or Certain Officers',
  '7.01': 'Regulation FD Disclosure',
  '8.01': 'Other Events',
  '9.01': 'Financial Statements and Exhibits',
};
const ARCHIVES = 'https://www.sec.gov/Archives/edgar/data';
const BYTES_PER_KB = 1024;

/** Writes a page of the feed of current filings. */
export function writeFeed(filings: readonly SimulatedFiling[], now: Instant): string {
  const entries = filings.map((filing) => {
    const { accession, cik, name, form, items, acceptedAt } = filing;
    const lines = items.map((item) => `\n&lt;br&gt;Item ${item}: ${wordsOf(item)}`).join('');
    const size = Math.ceil(sizeOf(filing) / BYTES_PER_KB);
    return `<entry>
<title>${form} - ${escapeXml(name)} (${cik}) (Filer)</title>
<link rel="alternate" type="text/html" href="${folderOf(filing)}/${accession}-index.htm"/>
<summary type="html">
 &lt;b&gt;Filed:&lt;/b&gt; ${filingDateOf(filing)} &lt;b&gt;AccNo:&lt;/b&gt; ${accession} &lt;b&gt;Size:&lt;/b&gt; ${size} KB${lines}
</summary>
<updated>${formatNewYork(acceptedAt)}</updated>
<category scheme="https://www.sec.gov/" label="form type" term="${form}"/>
<id>urn:tag:sec.gov,2008:accession-number=${accession}</id>
</entry>
`;
  });
  return `<?xml version="1.0" encoding="ISO-8859-1" ?>
<feed xmlns="http://www.w3.org/2005/Atom">
<title>Latest Filings</title>
<id>https://www.sec.gov/cgi-bin/browse-edgar?action=getcurrent</id>
<updated>${formatNewYork(now)}</updated>
${entries.join('')}</feed>
`;
}

/** Writes the page that lists a filing's documents. */
export function writeIndexPage(filing: SimulatedFiling): string {
  const { accession, cik, name, form, items } = filing;
  const itemLines = items.map((item) => `Item ${item}: ${wordsOf(item)}<br />`).join('');
  const rows = documentsOf(filing).map(
    ({ type, filename, size }, index) =>
      `<tr><td>${index + 1}</td><td>${type}</td><td><a href="${folderOf(filing)}/${filename}">${filename}</a></td><td>${type}</td><td>${size}</td></tr>`,
  );
  return `<!DOCTYPE html><html><head><title>EDGAR Filing Documents for ${accession}</title></head><body>
<div id="formHeader"><strong>Form ${form}</strong> - ${form.startsWith('10-') ? 'Periodic report' : 'Current report'}: </div>
<div id="secNum"><strong>SEC Accession <acronym title="Number">No.</acronym></strong> ${accession}</div>
<div class="infoHead">Filing Date</div><div class="info">${filingDateOf(filing)}</div>
<div class="infoHead">Accepted</div><div class="info">${acceptedText(filing)}</div>
<div class="infoHead">Documents</div><div class="info">${rows.length}</div>
<div class="infoHead">Period of Report</div><div class="info">${reportDateOf(filing)}</div>
${items.length === 0 ? '' : `<div class="infoHead">Items</div><div class="info">${itemLines}</div>`}
<table class="tableFile" summary="Document Format Files">
<tr><th>Seq</th><th>Description</th><th>Document</th><th>Type</th><th>Size</th></tr>
${rows.join('\n')}
<tr><td></td><td>Complete submission text file</td><td><a href="${folderOf(filing)}/${accession}.txt">${accession}.txt</a></td><td></td><td>${sizeOf(filing)}</td></tr>
</table>
<div class="companyInfo"><span class="companyName">${escapeXml(name)} (Filer) <acronym>CIK</acronym>: <a>${cik} (see all company filings)</a></span></div>
</body></html>`;
}

/** Writes the header of a filing in SGML, with its list of documents. */
export function writeHeader(filing: SimulatedFiling): string {
  const { accession, cik, name, form, items } = filing;
  const stamp = acceptedText(filing).replaceAll(/\D/g, '');
  const documents = documentsOf(filing).map(
    ({ type, filename }, index) =>
      `<DOCUMENT>\n<TYPE>${type}\n<SEQUENCE>${index + 1}\n<FILENAME>${filename}\n</DOCUMENT>\n`,
  );
  return `<SEC-HEADER>${accession}.hdr.sgml : ${compact(filingDateOf(filing))}
<ACCEPTANCE-DATETIME>${stamp}
ACCESSION NUMBER:		${accession}
CONFORMED SUBMISSION TYPE:	${form}
PUBLIC DOCUMENT COUNT:		${documents.length}
CONFORMED PERIOD OF REPORT:	${compact(reportDateOf(filing))}
${items.map((item) => `ITEM INFORMATION:		${wordsOf(item)}\n`).join('')}FILED AS OF DATE:		${compact(filingDateOf(filing))}

FILER:

	COMPANY DATA:
		COMPANY CONFORMED NAME:			${name.toUpperCase()}
		CENTRAL INDEX KEY:			${cik}
</SEC-HEADER>
${documents.join('')}`;
}

/** Writes the index of everything that was filed on a day. */
export function writeDailyIndex(filings: readonly SimulatedFiling[]): string {
  const lines = filings
    .toSorted((a, b) => (a.form < b.form ? -1 : 1))
    .map((filing) => {
      const { form, name, cik, accession } = filing;
      const file = `edgar/data/${Number(cik)}/${accession}.txt`;
      const date = compact(filingDateOf(filing));
      return `${form.padEnd(12)}${name.padEnd(62)}${String(Number(cik)).padEnd(12)}${date}    ${file}`;
    });
  return `${'Form Type'.padEnd(12)}${'Company Name'.padEnd(62)}${'CIK'.padEnd(12)}Date Filed  File Name
${'-'.repeat(120)}
${lines.join('\n')}
`;
}

export function filingDateOf({ filingDate, acceptedAt }: SimulatedFiling): LocalDate {
  return filingDate ?? newYorkDate(acceptedAt);
}

export function reportDateOf(filing: SimulatedFiling): LocalDate {
  return filing.reportDate ?? filingDateOf(filing);
}

/** Returns the size of the complete submission in bytes. */
export function sizeOf(filing: SimulatedFiling): number {
  return documentsOf(filing).reduce((sum, { size }) => sum + size, 20_000);
}

function documentsOf({ form, exhibits }: SimulatedFiling) {
  const main = { type: form, filename: 'main.htm', size: 30_000 };
  return [
    main,
    ...exhibits.map(({ type, filename, body }) => ({ type, filename, size: body.length })),
  ];
}

function acceptedText({ acceptedAt }: SimulatedFiling): string {
  return formatNewYork(acceptedAt).slice(0, 19).replace('T', ' ');
}

function folderOf({ cik, accession }: SimulatedFiling): string {
  return `${ARCHIVES}/${Number(cik)}/${accession.replaceAll('-', '')}`;
}

function wordsOf(item: string): string {
  return ITEM_WORDS[item] ?? 'Other Information';
}

function compact(date: LocalDate): string {
  return date.replaceAll('-', '');
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
