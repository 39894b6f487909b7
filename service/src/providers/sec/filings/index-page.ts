import { type LocalDate, parseLocalDate } from '../../../domain/local-date.ts';

/** The contents of a filing's index page or header; absent values are null. */
export interface FilingPage {
  form: string | null;
  /** Item numbers in page order, or null if the page has no item list. */
  items: string[] | null;
  accepted: string | null;
  filingDate: LocalDate | null;
  reportDate: LocalDate | null;
}

/**
 * Item numbers by title, for results and the items usually filed with them. The header of the full
 * text identifies items by title. Other titles are skipped.
 */
const ITEM_BY_TITLE: readonly [RegExp, string][] = [
  [/^(?:Disclosure of )?Results of Operations and Financial Condition$/i, '2.02'],
  [/^Regulation FD Disclosure$/i, '7.01'],
  [/^Other Events$/i, '8.01'],
  [/^Financial Statements and Exhibits$/i, '9.01'],
];
const FORM = /^[A-Z0-9][A-Z0-9/ -]{0,19}$/;

/** Reads the HTML page: `<div class="infoHead">Accepted</div> <div class="info">…</div>`. */
export function readIndexPage(html: string): FilingPage {
  const facts = new Map<string, string>();
  const pair =
    /class="infoHead"[^>]*>([^<]*)<\/div>\s*<div[^>]*class="info"[^>]*>([\s\S]*?)<\/div>/g;
  for (const [, head = '', value = ''] of html.matchAll(pair)) facts.set(head.trim(), value);
  const items = facts.get('Items')?.matchAll(/Item\s+(\d{1,2}(?:\.\d{2})?)/gi) ?? null;
  return {
    form: formOf(firstOf(html, /<strong>\s*Form\s+([^<]+?)\s*<\/strong>/i)),
    items: items && [...items].flatMap((match) => match[1] ?? []),
    accepted: facts.get('Accepted')?.trim() ?? null,
    filingDate: parseLocalDate(facts.get('Filing Date')?.trim() ?? ''),
    reportDate: parseLocalDate(facts.get('Period of Report')?.trim() ?? ''),
  };
}

/** Reads the SGML header, alone or within a page: `<ACCEPTANCE-DATETIME>20230315160636`. */
export function readSgmlHeader(text: string): FilingPage {
  const start = text.slice(0, 100_000).replaceAll('&lt;', '<').replaceAll('&gt;', '>');
  const end = /<DOCUMENT>/.exec(start)?.index ?? start.length;
  const head = start.slice(0, end);
  return {
    form: formOf(firstOf(head, /CONFORMED SUBMISSION TYPE:\s*(\S+)/, /<TYPE>\s*(\S+)/)),
    items: headerItems(head),
    accepted: firstOf(head, /<ACCEPTANCE-DATETIME>\s*(\d+)/),
    filingDate: compactDate(firstOf(head, /FILED AS OF DATE:\s*(\d+)/, /<FILING-DATE>\s*(\d+)/)),
    reportDate: compactDate(
      firstOf(head, /CONFORMED PERIOD OF REPORT:\s*(\d+)/, /<PERIOD>\s*(\d+)/),
    ),
  };
}

function headerItems(head: string): string[] | null {
  const numberedItems = [...head.matchAll(/<ITEMS>\s*(\d{1,2}(?:\.\d{2})?)/g)];
  const titledItems = [...head.matchAll(/ITEM INFORMATION:[ \t]*([^\r\n]+)/g)];
  if (numberedItems.length + titledItems.length === 0) return null;
  const titles = titledItems.map((match) => (match[1] ?? '').trim());
  return [
    ...numberedItems.flatMap((match) => match[1] ?? []),
    ...titles.flatMap((title) => ITEM_BY_TITLE.find(([shape]) => shape.test(title))?.[1] ?? []),
  ];
}

function formOf(text: string | null): string | null {
  return text !== null && FORM.test(text) ? text : null;
}

function firstOf(text: string, ...shapes: RegExp[]): string | null {
  for (const shape of shapes) {
    const match = shape.exec(text)?.[1];
    if (match !== undefined) return match;
  }
  return null;
}

function compactDate(digits: string | null): LocalDate | null {
  const match = /^(\d{4})(\d{2})(\d{2})$/.exec(digits ?? '');
  return match === null ? null : parseLocalDate(`${match[1]}-${match[2]}-${match[3]}`);
}
