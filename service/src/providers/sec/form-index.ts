import { type LocalDate, parseLocalDate } from '../../domain/local-date.ts';
import { parseAccession, parseCik } from './edgar.ts';

/** A filing in one of EDGAR's index files, which have no time of day. */
export interface IndexedFiling {
  accession: string;
  cik: string;
  company: string;
  form: string;
  filingDate: LocalDate;
}

export interface FormIndex {
  rows: IndexedFiling[];
  /** Lines that could not be read. */
  bad: { reason: string; line: string }[];
}

type Fields = Readonly<Record<string, string>>;
type ReadLine = (line: string) => Fields;

const NAMES: Readonly<Record<string, string>> = {
  'Form Type': 'form',
  'Company Name': 'company',
  CIK: 'cik',
  'Date Filed': 'date',
  'File Name': 'file',
  Filename: 'file',
};

/** Returns true if the text is a daily or quarterly index of filings. */
export function isFormIndex(text: string): boolean {
  return findHeader(text) !== null;
}

/**
 * Reads a daily or full index, with fixed-width columns (`form.idx`, `company.idx`), whose places
 * are those of its header line, or with bars (`master.idx`).
 */
export function readFormIndex(text: string): FormIndex {
  const index: FormIndex = { rows: [], bad: [] };
  const header = findHeader(text);
  if (header === null) return index;
  for (const line of text.slice(header.end).split(/\r?\n/)) {
    if (/^-*\s*$/.test(line)) continue;
    const row = readRow(header.read(line));
    if (row === null) index.bad.push({ reason: 'unreadable-line', line: line.slice(0, 300) });
    else index.rows.push(row);
  }
  return index;
}

function findHeader(text: string): { end: number; read: ReadLine } | null {
  const match =
    /^(?=[^\n]*\bCIK\b)(?=[^\n]*\bForm Type\b)(?=[^\n]*\bDate Filed\b)[^\n]*\bFile ?[Nn]ame[^\n]*/m.exec(
      text.slice(0, 4000),
    );
  if (match === null) return null;
  const header = match[0].trimEnd();
  return {
    end: match.index + match[0].length,
    read: header.includes('|') ? barReader(header) : widthReader(header),
  };
}

function barReader(header: string): ReadLine {
  const names = header.split('|').map((name) => NAMES[name.trim()] ?? '');
  return (line) => {
    const values = line.split('|');
    return Object.fromEntries(names.map((name, index) => [name, (values[index] ?? '').trim()]));
  };
}

/** A name that is too long for its column moves the rest of the line, but not its last fields. */
const END = /^(.*?)\s+(\d{1,10})\s+(\d{8}|\d{4}-\d{2}-\d{2})\s+(\S+)\s*$/;

function widthReader(header: string): ReadLine {
  const isFormFirst = header.indexOf('Form Type') < header.indexOf('Company Name');
  const second = header.indexOf(isFormFirst ? 'Company Name' : 'Form Type');
  return (line) => {
    const [, start = '', cik = '', date = '', file = ''] = END.exec(line) ?? [];
    const fields = [start.slice(0, second).trim(), start.slice(second).trim()];
    const [form = '', company = ''] = isFormFirst ? fields : fields.toReversed();
    return { form, company, cik, date, file };
  };
}

function readRow(fields: Fields): IndexedFiling | null {
  const { form = '', company = '', date = '', file = '' } = fields;
  const cik = parseCik(fields['cik']);
  const accession = parseAccession(/(\d{10}-\d{2}-\d{6})(?:\.txt)?$/.exec(file)?.[1]);
  const filingDate = parseLocalDate(date.replace(/^(\d{4})(\d{2})(\d{2})$/, '$1-$2-$3'));
  if (cik === null || accession === null || filingDate === null || form === '') return null;
  return { accession, cik, company, form, filingDate };
}
