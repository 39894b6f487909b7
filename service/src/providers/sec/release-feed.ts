import type {
  EarningsObservation,
  StatedFigureName,
  StatedGuidance,
} from '../../datasets/earnings/observation.ts';
import { localDate } from '../../domain/local-date.ts';
import { parseInstant } from '../../platform/instant.ts';
import { toStorableText } from '../kit/clean-text.ts';
import {
  type BadRow,
  type Feed,
  type ParsedRow,
  type ParseResult,
  type SourceResponse,
  SourceResponseError,
} from '../provider.ts';
import {
  cikSubject,
  isResponseFrom,
  parseAccession,
  parseCik,
  pathname,
  WWW_HOST,
} from './edgar.ts';
import { releaseExcerpt } from './release/excerpt.ts';
import type { Figure } from './release/figure.ts';
import { readRelease, type Release } from './release/read-release.ts';
import { rejectErrorResponse } from './response-body.ts';

const PATH = /^\/Archives\/edgar\/data\/(\d{1,10})\/(\d{18})\/(?!.*-index)[^/]+\.html?$/i;
const LABEL_LENGTH_MAX = 300;

/** Names of the figures, in the reader and in observations. */
const FIGURES = [
  ['epsDilutedGaap', 'epsGaap'],
  ['epsAdjusted', 'epsAdjusted'],
  ['revenue', 'revenue'],
] as const satisfies readonly (readonly [keyof Release, StatedFigureName])[];

/**
 * An exhibit with a press release about results: one row for the release, one for each figure that
 * it states, and one invalid row for each figure that failed a check of the reader. A document
 * without results has no rows.
 */
export const releaseFeed: Feed = {
  name: 'release',
  datasets: ['earnings'],
  claims: (response) => isResponseFrom(response, WWW_HOST, PATH),
  parse,
  excerpt: ({ text }, offset) => releaseExcerpt(text, offset),
};

function parse(response: SourceResponse): ParseResult {
  rejectErrorResponse(response);
  const [, digits, folder] = PATH.exec(pathname(response)) ?? [];
  const cik = parseCik(digits);
  const accession = parseAccession(folder);
  if (cik === null || accession === null) {
    throw new SourceResponseError('damaged', 'bad-accession', response.url);
  }
  const release = readRelease(response.text);
  if (release.periodEnd === null) return { rows: [], bad: [] };
  const periodEnd = localDate(release.periodEnd.value);
  const document = { cik, accession, documentUrl: response.url, periodEnd };
  const row = (naturalKey: string, fields: EarningsObservation): ParsedRow => {
    return { dataset: 'earnings', entityKey: cikSubject(cik), naturalKey, fields };
  };
  const name = `${accession}/${pathname(response).split('/').at(-1)}`;
  const figures = FIGURES.flatMap(([field, figure]) => {
    const stated = release[field];
    if (stated === null) return [];
    return [
      row(`${name}#${figure}`, { kind: 'stated-figure', ...document, figure, ...valueOf(stated) }),
    ];
  });
  const opening = toStorableText(release.opening);
  const callAt = release.callAt === null ? null : parseInstant(release.callAt.value);
  return {
    rows: [
      row(name, { kind: 'release', ...document, opening, callAt, ...guidanceOf(release) }),
      ...figures,
    ],
    bad: release.refused.map((refusal): BadRow => {
      const { field, reason, values = [] } = refusal;
      return {
        dataset: 'earnings',
        entityKey: cikSubject(cik),
        reason: `release-${reason}`,
        detail: values.length === 0 ? field : `${field}: ${values.join(' or ')}`,
        row: { ...document, field, reason, values },
      };
    }),
  };
}

function guidanceOf({ guidance }: Release): { guidance?: StatedGuidance[] } {
  if (guidance === null) return {};
  return {
    guidance: guidance.map(({ metric, period, low, high, unit, row }) => {
      const text = toStorableText(row).slice(0, LABEL_LENGTH_MAX);
      return { metric, period, low, high, currency: unit.slice(0, 3), text };
    }),
  };
}

function valueOf({ value, unit, row, column, offset, yearAgo = null }: Figure) {
  const labels = [row, column].map((text) => toStorableText(text).slice(0, LABEL_LENGTH_MAX));
  const [rowLabel = '', columnLabel = ''] = labels;
  const cell = { row: rowLabel, column: columnLabel === '' ? null : columnLabel, offset };
  return { value, currency: unit.slice(0, 3), yearAgo, cell };
}
