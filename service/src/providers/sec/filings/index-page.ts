import { type LocalDate, parseLocalDate } from '../../../domain/local-date.ts';
import { parseAccession, parseCik } from '../edgar.ts';
import { type HtmlBlock, type HtmlTable, readHtmlBlocks } from '../html/html-blocks.ts';
import { itemOfTitle } from './report-items.ts';

/** The contents of a filing's index page or header; absent values are null. */
export interface FilingPage {
  accession: string | null;
  form: string | null;
  /** Item numbers in page order, or null if the page has no item list. */
  items: string[] | null;
  accepted: string | null;
  filingDate: LocalDate | null;
  reportDate: LocalDate | null;
  /** In page order. The first one need not be the company that reports. */
  filers: Filer[];
  documents: FiledDocument[];
  /** Bytes of the complete submission; only the HTML page states it. */
  size: number | null;
}

interface Filer {
  cik: string;
  name: string;
}

export interface FiledDocument {
  sequence: number | null;
  /** `8-K`, `EX-99.1`. */
  type: string;
  filename: string;
  description: string;
}

const FORM = /^[A-Z0-9][A-Z0-9/ -]{0,19}$/;

/** Reads the HTML page, whose facts are pairs of lines: `Accepted`, `2026-11-19 16:21:05`. */
export function readIndexPage(html: string): FilingPage {
  const blocks = readHtmlBlocks(html);
  const lines = blocks.flatMap((block) => (block.kind === 'paragraph' ? [block.text] : []));
  const after = (head: string) => lines[lines.indexOf(head) + 1] ?? '';
  const start = lines.indexOf('Items');
  const itemLines = start < 0 ? null : takeItems(lines.slice(start + 1));
  return {
    accession: parseAccession(firstOf(lines.join('\n'), /Accession No\.\s*(\d{10}-\d{2}-\d{6})/)),
    form: formOf(firstOf(lines.join('\n'), /^Form (.+?)(?: - .*)?$/m)),
    items: itemLines,
    accepted: lines.includes('Accepted') ? after('Accepted') : null,
    filingDate: parseLocalDate(after('Filing Date')),
    reportDate: parseLocalDate(after('Period of Report')),
    filers: lines.flatMap(filerOfLine),
    documents: documentsOf(blocks),
    size: completeSize(blocks),
  };
}

function takeItems(lines: readonly string[]): string[] {
  const items: string[] = [];
  for (const line of lines) {
    const item = /^Item\s+(\d{1,2}(?:\.\d{2})?)/i.exec(line)?.[1];
    if (item === undefined) break;
    items.push(item);
  }
  return items;
}

function filerOfLine(line: string): Filer[] {
  const match = /^(.+?) \((?:Filer|Filed by|Subject|Issuer|Reporting)\) CIK: ?(\d{10})/.exec(line);
  const cik = parseCik(match?.[2]);
  return cik === null ? [] : [{ cik, name: match?.[1] ?? '' }];
}

function documentsOf(blocks: readonly HtmlBlock[]): FiledDocument[] {
  return blocks
    .filter((block): block is HtmlTable => block.kind === 'table')
    .filter(({ rows }) => rows[0]?.[2]?.text === 'Document' && rows[0][3]?.text === 'Type')
    .flatMap(({ rows }) => rows.slice(1))
    .flatMap((cells) => {
      const [sequence = '', description = '', name = '', type = ''] = cells.map(({ text }) => text);
      if (type === '') return [];
      const filename = name.split(' ')[0] ?? '';
      return [{ sequence: sequenceOf(sequence), type, filename, description }];
    });
}

function completeSize(blocks: readonly HtmlBlock[]): number | null {
  const rows = blocks.flatMap((block) => (block.kind === 'table' ? block.rows : []));
  const cells = rows.find((row) => row[1]?.text === 'Complete submission text file');
  const digits = cells?.at(-1)?.text ?? '';
  return /^\d{1,12}$/.test(digits) ? Number(digits) : null;
}

/** Reads the SGML header, alone or within a page: `<ACCEPTANCE-DATETIME>20230315160636`. */
export function readSgmlHeader(text: string): FilingPage {
  const start = text.slice(0, 1_000_000).replaceAll('&lt;', '<').replaceAll('&gt;', '>');
  const end = /<DOCUMENT>/i.exec(start)?.index ?? start.length;
  const head = start.slice(0, end);
  return {
    accession: parseAccession(
      firstOf(head, /ACCESSION NUMBER:\s*(\S+)/, /<ACCESSION-NUMBER>\s*(\S+)/),
    ),
    form: formOf(firstOf(head, /CONFORMED SUBMISSION TYPE:\s*(\S+)/, /<TYPE>\s*(\S+)/)),
    items: headerItems(head),
    accepted: firstOf(head, /<ACCEPTANCE-DATETIME>\s*(\d+)/),
    filingDate: compactDate(firstOf(head, /FILED AS OF DATE:\s*(\d+)/, /<FILING-DATE>\s*(\d+)/)),
    reportDate: compactDate(
      firstOf(head, /CONFORMED PERIOD OF REPORT:\s*(\d+)/, /<PERIOD>\s*(\d+)/),
    ),
    filers: headerFilers(head),
    documents: headerDocuments(start.slice(end)),
    size: null,
  };
}

function headerItems(head: string): string[] | null {
  const numberedItems = [...head.matchAll(/<ITEMS>\s*(\d{1,2}(?:\.\d{2})?)/g)];
  const titledItems = [...head.matchAll(/ITEM INFORMATION:[ \t]*([^\r\n]+)/g)];
  if (numberedItems.length + titledItems.length === 0) return null;
  return [
    ...new Set([
      ...numberedItems.flatMap((match) => match[1] ?? []),
      ...titledItems.flatMap((match) => itemOfTitle(match[1] ?? '') ?? []),
    ]),
  ];
}

/** A header page has every filer twice: as tags in a comment, and as text. */
function headerFilers(head: string): Filer[] {
  const shapes = [
    /COMPANY CONFORMED NAME:[ \t]*([^\r\n]+)[\s\S]{0,200}?CENTRAL INDEX KEY:\s*(\d{10})/g,
    /<CONFORMED-NAME>([^\r\n]+)\s*<CIK>\s*(\d{10})/g,
  ];
  const filers = new Map<string, Filer>();
  for (const shape of shapes) {
    for (const [, name = '', digits] of head.matchAll(shape)) {
      const cik = parseCik(digits);
      if (cik !== null && !filers.has(cik)) filers.set(cik, { cik, name: name.trim() });
    }
  }
  return [...filers.values()];
}

function headerDocuments(text: string): FiledDocument[] {
  return text
    .split(/<DOCUMENT>/i)
    .slice(1)
    .flatMap((part) => describeDocument(part.slice(0, 2000)) ?? []);
}

/** Reads the lines that precede a document's text: `<TYPE>EX-99.1`. Null without a type. */
export function describeDocument(head: string): FiledDocument | null {
  const value = (name: string): string =>
    (new RegExp(`<${name}>[ \\t]*([^\\r\\n<]*)`, 'i').exec(head)?.[1] ?? '').trim();
  const type = value('TYPE');
  if (type === '') return null;
  return {
    sequence: sequenceOf(value('SEQUENCE')),
    type,
    filename: value('FILENAME'),
    description: value('DESCRIPTION'),
  };
}

function sequenceOf(text: string): number | null {
  return /^\d{1,5}$/.test(text) ? Number(text) : null;
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
