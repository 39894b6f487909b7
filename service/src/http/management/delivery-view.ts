import { Type } from 'typebox';
import { DELIVERY_STATES } from '../../webhooks/log/log-query.ts';
import type { AttemptRecord, DeliveryRecord } from '../../webhooks/log/delivery-log.ts';
import {
  choice,
  flag,
  instant,
  integer,
  list,
  named,
  nullable,
  number,
  text,
} from '../../endpoints/schema/fields.ts';
import { formatInstant } from '../../platform/instant.ts';
import { shown } from './instants.ts';

export const deliveryFields = {
  id: text('Id, `del_…`, as in the body and the header.'),
  endpointId: text('Whom it tells.'),
  templateId: text('Of what it tells.'),
  eventType: text('As in the body.'),
  symbol: text('Which company it is about.'),
  state: choice(
    DELIVERY_STATES,
    '`superseded`: a newer one tells of it; `held`: endpoint disabled.',
  ),
  createdAt: instant('When it was opened.'),
  firstAttemptAt: nullable(instant('When it was posted first.')),
  nextAttemptAt: nullable(instant('When it is posted next; null: not any more, or under way.')),
  deliveredAt: nullable(instant('When it was answered 2xx.')),
  responseStatus: nullable(integer('HTTP status of the newest answer.')),
  attemptCount: integer('Attempts so far.'),
  maxAttempts: integer('Attempts at most.'),
  durationMs: nullable(number('How long the newest attempt took, in milliseconds.')),
  lastErrorCode: nullable(
    text('Why the newest attempt was no success: `http_5xx`, `timeout`, `dns` and so on.'),
  ),
  changedFields: list(text('Name of a field.'), 'As in the body.'),
  replayOf: nullable(text('The delivery that this one repeats by hand.')),
  supersededBy: nullable(text('The newer delivery in its place.')),
  test: flag('Sent to try the endpoint: attempted once.'),
};

const header = Type.Tuple([Type.String(), Type.String()], { description: 'Name and value.' });
const milliseconds = (describe: string) => nullable(number(`${describe}, in milliseconds.`));

const attempt = named('DeliveryAttempt', {
  n: integer('The first is 1.'),
  state: choice(
    ['started', 'finished', 'unknown'],
    '`unknown`: we were cut off; the receiver may have it.',
  ),
  startedAt: instant('When it began.'),
  durationMs: milliseconds('All of it'),
  dnsMs: milliseconds('Finding the address'),
  connectMs: milliseconds('Connecting'),
  tlsMs: milliseconds('Agreeing on a cipher'),
  firstByteMs: milliseconds('Until the answer began'),
  requestHeaders: nullable(list(header, 'As sent.')),
  requestBody: text('As sent and signed.'),
  remoteAddress: nullable(text('Where it was sent.')),
  responseStatus: nullable(integer('HTTP status.')),
  responseHeaders: nullable(list(header, 'As answered, without cookies.')),
  responseBody: nullable(text('As answered, at most 16 KiB.')),
  truncated: flag('There was more of the answer.'),
  errorCode: nullable(text('Why it was no success.')),
  errorDetail: nullable(text('The same in a sentence.')),
});

export const deliverySchema = named('Delivery', deliveryFields);
export const fullDeliverySchema = named('DeliveryDetail', {
  ...deliveryFields,
  attempts: list(attempt, 'Oldest first; kept for thirty days.'),
});

/** Field by field, so that nothing is shown by forgetting it. */
export function renderDelivery(record: DeliveryRecord): object {
  const { id, endpointId, templateId, eventType, symbol, state, changedFields } = record;
  const { responseStatus, attemptCount, maxAttempts, durationMs, lastErrorCode } = record;
  const { replayOf, supersededBy, test } = record;
  return {
    id,
    endpointId,
    templateId,
    eventType,
    symbol,
    state,
    changedFields,
    responseStatus,
    attemptCount,
    maxAttempts,
    durationMs,
    lastErrorCode,
    replayOf,
    supersededBy,
    test,
    createdAt: formatInstant(record.createdAt),
    firstAttemptAt: shown(record.firstAttemptAt),
    nextAttemptAt: shown(record.nextAttemptAt),
    deliveredAt: shown(record.deliveredAt),
  };
}

export function renderFullDelivery(
  record: DeliveryRecord & { attempts: readonly AttemptRecord[] },
): object {
  return { ...renderDelivery(record), attempts: record.attempts.map(renderAttempt) };
}

function renderAttempt(one: AttemptRecord): object {
  const { n, state, durationMs, dnsMs, connectMs, tlsMs, firstByteMs } = one;
  const { requestHeaders, requestBody, remoteAddress } = one;
  const { responseStatus, responseHeaders, responseBody, truncated, errorCode, errorDetail } = one;
  return {
    n,
    state,
    durationMs,
    dnsMs,
    connectMs,
    tlsMs,
    firstByteMs,
    requestHeaders,
    requestBody,
    remoteAddress,
    responseStatus,
    responseHeaders,
    responseBody,
    truncated,
    errorCode,
    errorDetail,
    startedAt: formatInstant(one.startedAt),
  };
}
