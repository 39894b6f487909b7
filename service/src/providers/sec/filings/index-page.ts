import { parseLocalDate } from '../../../domain/local-date.ts';
import type { LocalDate } from '../../../domain/local-date.ts';

/** What a filing's index page or header says; null where it is silent. */
export interface FilingPage {
  form: string | null;
  /** Item numbers in the page's order; empty when it lists none. */
  items: string[];
  accepted: string | null;
  filingDate: LocalDate | null;
  reportDate: LocalDate | null;
}

/** The header of the full text names items by title; these are the titles of item 2.02 and 12. */
const RESULTS_TITLE = /^(?:Disclosure of )?Results of Operations and Financial Condition$/i;

/** The HTML page: `<div class="infoHead">Accepted</div> <div class="info">…</div>`. */
export function readIndexPage(html: string): FilingPage {
  const facts = new Map<string, string>();
  const pair =
    /class="infoHead"[^>]*>([^<]*)<\/div>\s*<div[^>]*class="info"[^>]*>([\s\S]*?)<\/div>/g;
  for (const [, head = '', value = ''] of html.matchAll(pair)) facts.set(head.trim(), value);
  const items = (facts.get('Items') ?? '').matchAll(/Item\s+(\d{1,2}(?:\.\d{2})?)/gi);
  return {
    form: /<strong>\s*Form\s+([^<]+?)\s*<\/strong>/i.exec(html)?.[1] ?? null,
    items: [...items].flatMap((match) => match[1] ?? []),
    accepted: facts.get('Accepted')?.trim() ?? null,
    filingDate: parseLocalDate(facts.get('Filing Date')?.trim() ?? ''),
    reportDate: parseLocalDate(facts.get('Period of Report')?.trim() ?? ''),
  };
}

/** The SGML header, bare or inside a page: `<ACCEPTANCE-DATETIME>20230315160636`. */
export function readSgmlHeader(text: string): FilingPage {
  const start = text.slice(0, 100_000).replaceAll('&lt;', '<').replaceAll('&gt;', '>');
  const end = /<DOCUMENT>/.exec(start)?.index ?? start.length;
  const head = start.slice(0, end);
  return {
    form: firstOf(head, /CONFORMED SUBMISSION TYPE:\s*(\S+)/, /<TYPE>\s*(\S+)/),
    items: headerItems(head),
    accepted: firstOf(head, /<ACCEPTANCE-DATETIME>\s*(\d+)/),
    filingDate: compactDate(firstOf(head, /FILED AS OF DATE:\s*(\d+)/, /<FILING-DATE>\s*(\d+)/)),
    reportDate: compactDate(
      firstOf(head, /CONFORMED PERIOD OF REPORT:\s*(\d+)/, /<PERIOD>\s*(\d+)/),
    ),
  };
}

function headerItems(head: string): string[] {
  const numbered = [...head.matchAll(/<ITEMS>\s*(\d{1,2}(?:\.\d{2})?)/g)];
  const titled = [...head.matchAll(/ITEM INFORMATION:[ \t]*([^\r\n]+)/g)];
  const titles = titled.map((match) => (match[1] ?? '').trim());
  return [
    ...numbered.flatMap((match) => match[1] ?? []),
    ...titles.map((title) => (RESULTS_TITLE.test(title) ? '2.02' : title)),
  ];
}

function firstOf(text: string, ...shapes: RegExp[]): string | null {
  for (const shape of shapes) {
    const found = shape.exec(text)?.[1];
    if (found !== undefined) return found;
  }
  return null;
}

function compactDate(digits: string | null): LocalDate | null {
  const match = /^(\d{4})(\d{2})(\d{2})$/.exec(digits ?? '');
  return match === null ? null : parseLocalDate(`${match[1]}-${match[2]}-${match[3]}`);
}
