import { Type } from 'typebox';
import type { SourceAnswer } from '../../datasets/quarantine/evidence.ts';
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

export const STATES = ['open', 'accepted', 'rejected'] as const;

const itemFields = {
  id: text('`rec_…`: a row that was read and that no fact takes in; `row_…`: one kept out before.'),
  state: choice(STATES, 'What was decided.'),
  dataset: text('Data set.'),
  provider: text('Source.'),
  feed: text('Which of its kinds of answers.'),
  subject: nullable(text('Whom it is about: a symbol, a filer, a month.')),
  reason: text('The rule that it breaks, for counting.'),
  detail: text('The same of this row, in words.'),
  explanation: text('What the rule means, and what accepting does.'),
  at: instant('When it was seen last.'),
  decision: nullable(
    named('QuarantineDecision', {
      at: instant('When.'),
      by: text('Who.'),
      why: text('In their words.'),
    }),
  ),
};

export const quarantinedSchema = named('QuarantinedRow', itemFields);

const sourceAnswerSchema = named('SourceResponse', {
  id: integer('Number of the archived answer.'),
  url: text('Where it was asked, without keys.'),
  status: integer('HTTP status.'),
  observedAt: instant('When the source said it.'),
  receivedAt: instant('When it came into this store.'),
  sizeBytes: integer('Of its body.'),
});

export const quarantinedDetailFields = {
  ...itemFields,
  isReadable: flag('Whether it can be read as a row of its data set; only then can it be let in.'),
  row: Type.Unknown({ description: 'The row whole, as it came or was read.' }),
  answer: sourceAnswerSchema,
  others: Type.Array(
    named('OtherObservation', {
      row: Type.Unknown({ description: 'As it was read.' }),
      at: instant('When it was seen last.'),
    }),
    { description: 'What the same source says of the same thing besides, newest first.' },
  ),
};

export function renderQuarantined(item: QuarantineItem) {
  const { dataset, provider, feed, subject, reason, detail, at, decision } = item;
  return {
    id: formatQuarantineId(item.id),
    state: decision?.decision ?? 'open',
    dataset,
    provider,
    feed,
    subject,
    reason,
    detail,
    at: formatInstant(at),
    explanation: EXPLANATIONS[reason] ?? UNREADABLE,
    decision:
      decision === null
        ? null
        : {
            at: formatInstant(decision.at),
            by: decision.by,
            why: decision.reason,
          },
  };
}

export function renderSourceAnswer(answer: SourceAnswer): object {
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

/** Null when it is none of ours. */
export function parseQuarantineId(id: string): QuarantineId | null {
  const [, prefix, number] = /^(rec|row)_([1-9]\d{0,14})$/.exec(id) ?? [];
  if (prefix === undefined) return null;
  return { kind: prefix === 'rec' ? 'record' : 'row', number: Number(number) };
}

const PREFIXES = { record: 'rec', row: 'row' } as const;

const UNREADABLE =
  'The row could not be read: it is no row of this data set. It cannot be accepted; the source has ' +
  'to say it otherwise.';
const DATES =
  'An ordinary U.S. cash dividend is declared, goes ex, is recorded and is paid in this order. ' +
  'Accepted, the row holds with the dates it names.';
const TWICE =
  'One answer says two different things of one thing; the first is believed. Accepted, this row ' +
  'takes its place, also when the source repeats both.';

const EXPLANATIONS: Readonly<Record<string, string>> = {
  'declared-after-ex-date': DATES,
  'recorded-before-ex-date': DATES,
  'paid-before-ex-date': DATES,
  'conflicting-row': TWICE,
  'conflicting-duplicate': TWICE,
  'overruled-row':
    'An operator accepted another row of the same answer in its place. Accepted, this one holds again.',
  'ambiguous-period':
    'The row names no quarter, and its day does not tell which report it is about. Accepted, it goes ' +
    'to the nearest report, of two equally near ones to the earlier.',
  'agency-release-on-weekend':
    'Agencies of the United States publish on working days, so the day was probably misread. ' +
    'Accepted, the release is listed on the day it names.',
  'no-listed-symbol':
    'No list names a symbol of this filer, so there is no company to show it for. It is taken in by ' +
    'itself once a list does.',
  'release-date-unknown':
    'Figures are known, the day they came out is not. They are taken in by themselves once it is.',
  'unsettled-day':
    'The source writes days by a clock of its own, and nothing in the same capture tells which. It ' +
    'is taken in by itself once a later capture does.',
  'same-period-twice': 'One list has two days for one release, which no id can tell apart.',
  'same-id-twice':
    'One list has two events of one day whose names come to the same id; the first by name is shown.',
  'answer-cut-off':
    'The answer did not hold all its rows. What it held is taken in; this stands for the rest, which ' +
    'is not here to be accepted: it comes with another answer, or from another source.',
  'period-collision': 'Two quarters of one company would have the same name; the later one counts.',
  'other-results-filing':
    'Another filing is the report of this quarter; this one is about the same results.',
};
