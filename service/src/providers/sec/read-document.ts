import { formatInstant } from '../../platform/instant.ts';
import { parseNewYorkAcceptance } from './filings/acceptance-text.ts';
import { parseAccession, parseCik } from './edgar.ts';
import { type CurrentFeedPage, readCurrentFeed } from './current-feed.ts';
import { isFormIndex, readFormIndex } from './form-index.ts';
import {
  describeDocument,
  type FilingPage,
  readIndexPage,
  readSgmlHeader,
} from './filings/index-page.ts';
import { readFolderListing, readFolderJson } from './folder-listing.ts';
import { readReleaseRecord } from './release-record.ts';
import { findError } from './response-body.ts';

/** A document from EDGAR, fetched or read from a file. */
export interface EdgarDocument {
  text: string;
  /** Empty for a file without one. */
  url: string;
  /** HTTP status; 200 for a file without one. */
  status: number;
}

/** One JSON object of the output. */
export type DocumentRecord = { kind: string } & Readonly<Record<string, unknown>>;

/** Pages of the feed are returned as rows, because only all pages together name each filing once. */
export type DocumentReading = { feed: CurrentFeedPage } | { records: DocumentRecord[] };

/** Longer documents are refused. The longest observed submission has 40 million characters. */
const CHARS_MAX = 64 * 1024 * 1024;

/**
 * Recognizes a document by its content and reads it. Every kind of document yields at least one
 * record; one that cannot be read yields its reason. Never throws.
 */
export function readDocument(document: EdgarDocument): DocumentReading {
  const { text, url, status } = document;
  const start = text.slice(0, 4000).trimStart();
  if (text.length > CHARS_MAX) return unreadable('too-large');
  if (status === 304) return unreadable('not-modified');
  const error = findError({ status, text });
  if (error !== null) return unreadable(error[1]);
  if (/<feed[\s>]/.test(start.slice(0, 500))) return { feed: readCurrentFeed(text) };
  if (isFormIndex(text)) return readIndex(text);
  if (/<title>SEC EDGAR Submission/i.test(start)) return filing(readSgmlHeader(text), url);
  if (/<title>EDGAR Filing Documents for/i.test(start)) return filing(readIndexPage(text), url);
  if (/<title>Directory listing/i.test(start)) return folder(readFolderListing(text));
  if (start.startsWith('{')) return readJson(text);
  if (/^(?:-----BEGIN PRIVACY|<SEC-|<IMS-|<ACCEPTANCE-DATETIME>)/.test(start)) {
    return readSubmission(text, url);
  }
  if (/^<\?xml|^%PDF|^PK/.test(start)) return unreadable('not-an-edgar-page');
  const described = describeDocument(text.slice(0, 2000));
  const place = { accession: accessionOfUrl(url), form: null, document: described };
  return { records: [{ ...readReleaseRecord(text, place) }] };
}

/** Returns the filing, and a release for each exhibit that can be one. */
function readSubmission(text: string, url: string): DocumentReading {
  const page = readSgmlHeader(text);
  const releases = [...text.matchAll(/<DOCUMENT>[\s\S]*?(?:<\/DOCUMENT>|$(?![\s\S]))/gi)].flatMap(
    (match) => {
      const document = describeDocument(match[0].slice(0, 2000));
      if (document === null || !/^(?:EX-99|6-K)/.test(document.type)) return [];
      const place = { accession: page.accession ?? accessionOfUrl(url), form: page.form, document };
      return [{ ...readReleaseRecord(match[0], place, match.index) }];
    },
  );
  return { records: [filingRecord(page, url), ...releases] };
}

function unreadable(reason: string): DocumentReading {
  return { records: [{ kind: 'unreadable', refused: [{ field: 'document', reason }] }] };
}

function filing(page: FilingPage, url: string): DocumentReading {
  return { records: [filingRecord(page, url)] };
}

function filingRecord(page: FilingPage, url: string): DocumentRecord {
  const acceptedAt = parseNewYorkAcceptance(page.accepted ?? '');
  return {
    kind: 'filing',
    accession: page.accession ?? accessionOfUrl(url),
    cik: page.filers[0]?.cik ?? parseCik(/\/data\/(\d{1,10})\//.exec(url)?.[1]),
    form: page.form,
    items: page.items ?? [],
    acceptedAt: acceptedAt === null ? null : formatInstant(acceptedAt),
    filingDate: page.filingDate,
    reportDate: page.reportDate,
    filers: page.filers,
    documents: page.documents,
  };
}

/** Returns the accession number of an archive URL, whose folder writes it without dashes. */
function accessionOfUrl(url: string): string | null {
  const match = /\/(\d{18})\/|\/(\d{10}-\d{2}-\d{6})/.exec(url);
  return parseAccession(match?.[1] ?? match?.[2]);
}

function readIndex(text: string): DocumentReading {
  const { rows, bad } = readFormIndex(text);
  return {
    records: [
      ...rows.map((row) => ({ kind: 'indexed-filing', ...row })),
      ...bad.map(({ reason, line }) => ({
        kind: 'unreadable',
        refused: [{ field: 'line', reason, text: line }],
      })),
    ],
  };
}

function readJson(text: string): DocumentReading {
  const files = readFolderJson(text);
  return files === null ? unreadable('not-an-edgar-page') : folder(files);
}

function folder(files: readonly unknown[]): DocumentReading {
  return { records: [{ kind: 'folder', files }] };
}
