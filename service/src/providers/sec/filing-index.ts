import type { FilingObservation } from '../../datasets/earnings/observation.ts';
import { isStorableText } from '../kit/clean-text.ts';
import { type Answer, AnswerError, type Feed, type Parsed } from '../provider.ts';
import { requireUsable } from './response-body.ts';
import {
  cameFrom,
  cikSubject,
  edgarRequest,
  filingIndexUrl,
  parseAccession,
  parseCik,
  pathname,
  WWW_HOST,
} from './edgar.ts';
import { parseNewYorkAcceptance } from './filings/acceptance-text.ts';
import { readIndexPage, readSgmlHeader } from './filings/index-page.ts';
import { isCurrentReport, isResultsFiling } from './filings/results-filing.ts';

const PATH = new RegExp(
  String.raw`^/Archives/edgar/data/(\d{1,10})/(?:\d{18}/)?(\d{10}-\d{2}-\d{6})` +
    String.raw`(?:-index\.html?|-index-headers\.html?|\.hdr\.sgml|\.txt)$`,
);

/**
 * The index page of one filing, or its header: the one place where the time of acceptance is
 * certain. A filing that furnishes no results is read and gives no row; an 8-K whose page has no
 * list of items is taken at its form's word, since only results filings are asked for.
 */
export const filingIndex: Feed = {
  name: 'filing-index',
  datasets: ['earnings'],
  claims: (answer) => cameFrom(answer, WWW_HOST, PATH),
  parse,
  plan: (context) => (context.unsettledFilings ?? []).map((url) => edgarRequest(url, context)),
};

function parse(answer: Answer): Parsed {
  requireUsable(answer);
  if (!isStorableText(answer.text)) throw damaged('unclean-text', answer.url);
  const match = PATH.exec(pathname(answer));
  const cik = parseCik(match?.[1]);
  const accession = parseAccession(match?.[2]);
  if (cik === null || accession === null) throw damaged('bad-accession', answer.url);
  const isHtml = /-index\.html?$/.test(pathname(answer));
  const page = (isHtml ? readIndexPage : readSgmlHeader)(answer.text);
  const certain = parseNewYorkAcceptance(page.accepted ?? '');
  if (certain === null) throw damaged('no-acceptance-time', page.accepted ?? 'none');
  if (page.form === null) throw damaged('missing-field', 'no form');
  if (page.filingDate === null) throw damaged('missing-field', 'no filing date');
  const { form, items, filingDate, reportDate } = page;
  const furnishesResults =
    items === null ? isCurrentReport(form) : isResultsFiling(form, items, filingDate);
  if (!furnishesResults) return { rows: [], bad: [] };
  const fields: FilingObservation = {
    kind: 'filing',
    cik,
    accession,
    form,
    items: items ?? [],
    filingDate,
    reportDate,
    acceptance: { certain },
    sourceUrl: filingIndexUrl(cik, accession),
  };
  const row = { dataset: 'earnings', subject: cikSubject(cik), naturalKey: accession, fields };
  return { rows: [{ ...row, dataset: 'earnings' }], bad: [] };
}

function damaged(reason: string, detail: string): AnswerError {
  return new AnswerError('damaged', reason, `index of a filing: ${detail}`);
}
