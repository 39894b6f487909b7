import { onTradingDays } from '../../domain/market/due-times.ts';
import type { FilingObservation } from '../../datasets/earnings/observation.ts';
import { isStorableText } from '../kit/clean-text.ts';
import {
  type Feed,
  type ParseResult,
  type SourceResponse,
  SourceResponseError,
} from '../provider.ts';
import { rejectErrorResponse } from './response-body.ts';
import {
  cikSubject,
  edgarRequest,
  filingIndexUrl,
  isResponseFrom,
  parseAccession,
  parseCik,
  pathname,
  WWW_HOST,
} from './edgar.ts';
import { parseNewYorkAcceptance } from './filings/acceptance-text.ts';
import { readIndexPage, readSgmlHeader } from './filings/index-page.ts';
import {
  isByteCount,
  isCurrentReport,
  isForeignReport,
  isResultsFiling,
} from './filings/results-filing.ts';

const PATH = new RegExp(
  String.raw`^/Archives/edgar/data/(\d{1,10})/(?:\d{18}/)?(\d{10}-\d{2}-\d{6})` +
    String.raw`(?:-index\.html?|-index-headers\.html?|\.hdr\.sgml|\.txt)$`,
);

/**
 * A filing's index page or header, the only source for a certain acceptance time. A filing without
 * results has no row. An 8-K whose page lists no items is accepted, since only results filings are
 * requested. A 6-K never lists items, so its row counts only with a press release in the filing.
 */
export const filingIndex: Feed = {
  name: 'filing-index',
  datasets: ['earnings'],
  schedule: [
    {
      name: 'after',
      times: onTradingDays('open+15', '12:10', 'close+60', 'close+180'),
      scope: 'reporters',
    },
  ],
  claims: (response) => isResponseFrom(response, WWW_HOST, PATH),
  parse,
  plan: (context) => (context.unverifiedFilingUrls ?? []).map((url) => edgarRequest(url, context)),
};

function parse(response: SourceResponse): ParseResult {
  rejectErrorResponse(response);
  if (!isStorableText(response.text)) throw damaged('unclean-text', response.url);
  const match = PATH.exec(pathname(response));
  const cik = parseCik(match?.[1]);
  const accession = parseAccession(match?.[2]);
  if (cik === null || accession === null) throw damaged('bad-accession', response.url);
  const isHtml = /-index\.html?$/.test(pathname(response));
  const page = (isHtml ? readIndexPage : readSgmlHeader)(response.text);
  const acceptedAt = parseNewYorkAcceptance(page.accepted ?? '');
  if (acceptedAt === null) throw damaged('no-acceptance-time', page.accepted ?? 'none');
  if (page.form === null) throw damaged('missing-field', 'no form');
  if (page.filingDate === null) throw damaged('missing-field', 'no filing date');
  const { form, items, filingDate, reportDate, size } = page;
  const furnishesResults =
    items === null ? isCurrentReport(form) : isResultsFiling(form, items, filingDate);
  if (!furnishesResults && !isForeignReport(form)) return { rows: [], bad: [] };
  const fields: FilingObservation = {
    kind: 'filing',
    cik,
    accession,
    form,
    items: items ?? [],
    filingDate,
    reportDate,
    acceptance: { certain: acceptedAt },
    ...(isByteCount(size) && { size }),
    sourceUrl: filingIndexUrl(cik, accession),
  };
  const row = { dataset: 'earnings', entityKey: cikSubject(cik), naturalKey: accession, fields };
  return { rows: [{ ...row, dataset: 'earnings' }], bad: [] };
}

function damaged(reason: string, detail: string): SourceResponseError {
  return new SourceResponseError('damaged', reason, `filing index: ${detail}`);
}
