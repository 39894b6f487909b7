import { Type } from 'typebox';
import type { ArchivedSourceResponse } from '../../datasets/quarantine/evidence.ts';
import type { QuarantineId } from '../../datasets/quarantine/decisions.ts';
import type { QuarantineItem } from '../../datasets/quarantine/list.ts';
import {
  choice,
  flag,
  instant,
  integer,
  named,
  nullable,
  text,
} from '../../endpoints/schema/fields.ts';
import { formatInstant } from '../../platform/instant.ts';
import { statedInSchema } from './document-view.ts';

export const STATES = ['open', 'accepted', 'rejected'] as const;

const itemFields = {
  id: text(
    '`rec_…`: a parsed row that no fact includes; `row_…`: a row rejected before it was recorded.',
  ),
  state: choice(STATES, 'Review state.'),
  dataset: text('Name of the data set.'),
  provider: text('Name of the source.'),
  feed: text('Feed of the source.'),
  subject: nullable(text('Entity key: a symbol, a filer or a month.')),
  reason: text('Code of the violated rule.'),
  detail: text('Description of the violation in this row.'),
  explanation: text('Explanation of the rule and the effect of accepting the row.'),
  at: instant('Time of the latest observation.'),
  decision: nullable(
    named('QuarantineDecision', {
      at: instant('Time of the decision.'),
      by: text('Who decided.'),
      why: text('Reason given by the reviewer.'),
    }),
  ),
};

export const quarantinedSchema = named('QuarantinedRow', itemFields);

const sourceAnswerSchema = named('SourceResponse', {
  id: integer('Number of the archived response.'),
  url: text('Requested URL, without API keys.'),
  status: integer('HTTP status.'),
  observedAt: instant('Time the response was received from the source.'),
  receivedAt: instant('Time the response was stored.'),
  sizeBytes: integer('Size of the response body.'),
});

export const quarantinedDetailFields = {
  ...itemFields,
  isReadable: flag('Whether the row can be parsed. Only parsable rows can be accepted.'),
  row: Type.Unknown({ description: 'The whole row, raw or parsed.' }),
  answer: sourceAnswerSchema,
  others: Type.Array(
    named('OtherObservation', {
      row: Type.Unknown({ description: 'The row as parsed.' }),
      at: instant('Time of the latest observation.'),
    }),
    { description: 'Other rows of the same source for the same key, newest first.' },
  ),
  document: nullable(statedInSchema),
};

export function renderQuarantined(item: QuarantineItem) {
  const { dataset, provider, feed, entityKey, reason, detail, at, decision } = item;
  return {
    id: formatQuarantineId(item.id),
    state: decision?.decision ?? 'open',
    dataset,
    provider,
    feed,
    subject: entityKey,
    reason,
    detail,
    at: formatInstant(at),
    explanation: EXPLANATIONS[reason] ?? UNREADABLE,
    decision:
      decision === null
        ? null
        : { at: formatInstant(decision.at), by: decision.by, why: decision.reason },
  };
}

export function renderSourceAnswer(answer: ArchivedSourceResponse): object {
  const { id, url, status, sizeBytes } = answer;
  return {
    id,
    url,
    status,
    sizeBytes,
    observedAt: formatInstant(Math.round(answer.observedAt)),
    receivedAt: formatInstant(Math.round(answer.receivedAt)),
  };
}

export function formatQuarantineId({ kind, number }: QuarantineId): string {
  return `${PREFIXES[kind]}_${number}`;
}

export const QUARANTINE_ID = /^(rec|row)_([1-9]\d{0,14})$/;

/** Parses a quarantine ID. Returns null if it is invalid. */
export function parseQuarantineId(id: string): QuarantineId | null {
  const [, prefix, number] = QUARANTINE_ID.exec(id) ?? [];
  if (prefix === undefined) return null;
  return { kind: prefix === 'rec' ? 'record' : 'row', number: Number(number) };
}

const PREFIXES = { record: 'rec', row: 'row' } as const;

const UNREADABLE =
  'The row could not be parsed as a row of this data set. It cannot be accepted; the source must ' +
  'send it in a valid form.';
const DATES =
  'Ordinary U.S. cash dividends follow the order declaration, ex-date, record date, payment. If ' +
  'you accept the row, its dates are used as given.';
const TWICE =
  'One response contains two conflicting rows with the same key; the first is used. If you ' +
  'accept this row, it replaces the first, even when the source repeats both.';

const EXPLANATIONS: Readonly<Record<string, string>> = {
  'declared-after-ex-date': DATES,
  'recorded-before-ex-date': DATES,
  'paid-before-ex-date': DATES,
  'conflicting-row': TWICE,
  'conflicting-duplicate': TWICE,
  'overruled-row':
    'An operator accepted a conflicting row of the same response. If you accept this row, it is ' +
    'used again.',
  'ambiguous-period':
    'The row has no fiscal quarter, and its date does not identify the report. If you accept it, ' +
    'it is assigned to the nearest report, or to the earlier of two equally near ones.',
  'agency-release-on-weekend':
    'U.S. agencies publish on business days, so the date was probably misread. If you accept the ' +
    'row, the release is listed on this date.',
  'no-listed-symbol':
    'No symbol list contains this filer, so the row belongs to no known company. It is included ' +
    'automatically once a list contains the filer.',
  'other-company':
    'Several companies had this symbol in turn, and the row names none of them. It is included ' +
    'automatically once a list or a profile gives the symbol to a company of that name.',
  'release-date-unknown':
    'The figures are known but their release date is not. They are included automatically once ' +
    'it is.',
  'no-release-date':
    'The source publishes figures without a release date. They are included automatically once a ' +
    'release schedule dates them.',
  'unsettled-day':
    'The source dates rows in its own time zone, and nothing in this response identifies it. The ' +
    'row is included automatically once a later response does.',
  'same-period-twice':
    'One list contains two dates for the same release, which would share one ID.',
  'same-id-twice':
    'One list contains two events on the same day whose names produce the same ID; the first by ' +
    'name is shown.',
  'answer-cut-off':
    'The response was truncated. The rows it contained are included; this entry represents the ' +
    'missing ones. It cannot be accepted: they arrive with a later response or from another ' +
    'source.',
  'period-collision':
    'Two fiscal quarters of one company have the same name; the later one is used.',
  'release-not-used':
    'The figure was read from a press release that is not used, for the reason given at the ' +
    'release. It is included automatically once the release is.',
  'release-not-in-report':
    'The press release belongs to a filing that is not the report of a quarter. It is included ' +
    'automatically once the filing is.',
  'release-of-other-company':
    'The press release names another company. If you accept it, its figures are used for this ' +
    'company.',
  'release-period-differs':
    'The press release reports another period than its filing. If you accept it, its figures are ' +
    'used for the quarter of the filing.',
  'year-ago-differs':
    'The value for the year before, beside this figure, is not the known one, so the figure was ' +
    'probably misread. If you accept the row, the figure is used.',
  'unlike-known-revenue':
    'The revenue is of another size than that of earlier quarters, so its unit was probably ' +
    'misread. If you accept the row, the figure is used.',
  'other-results-filing':
    'Another filing is used as the report of this quarter; this filing covers the same results.',
};
