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
import { formatOptional } from './instants.ts';

export const deliveryFields = {
  id: text('Delivery ID, `del_…`, as sent in the payload and header.'),
  endpointId: text('The receiving endpoint.'),
  templateId: text('Template of the payload.'),
  eventType: text('Names of changed fields, as in the payload.'),
  symbol: text('The ticker symbol the delivery is about.'),
  state: choice(
    DELIVERY_STATES,
    '`superseded`: replaced by a newer delivery; `held`: paused while the endpoint is disabled.',
  ),
  createdAt: instant('Time of creation.'),
  firstAttemptAt: nullable(instant('Time of the first attempt.')),
  nextAttemptAt: nullable(
    instant('Time of the next attempt; null if none is scheduled or one is in progress.'),
  ),
  deliveredAt: nullable(instant('Time the endpoint responded with 2xx.')),
  responseStatus: nullable(integer('HTTP status of the latest response.')),
  attemptCount: integer('Number of attempts so far.'),
  maxAttempts: integer('Maximum number of attempts.'),
  durationMs: nullable(number('Duration of the latest attempt, in milliseconds.')),
  lastErrorCode: nullable(
    text('Failure code of the latest attempt, such as `http_5xx`, `timeout` or `dns`.'),
  ),
  changedFields: list(text('Field name.'), 'Names of changed fields, as in the payload.'),
  replayOf: nullable(text('The delivery that was redelivered manually as this one.')),
  supersededBy: nullable(text('The newer delivery that replaced this one.')),
  test: flag('Test delivery, attempted once.'),
};

const header = Type.Tuple([Type.String(), Type.String()], { description: 'Name and value.' });
const milliseconds = (describe: string) => nullable(number(`${describe}, in milliseconds.`));

const attemptSchema = named('DeliveryAttempt', {
  n: integer('Attempt number, starting at 1.'),
  state: choice(
    ['started', 'finished', 'unknown'],
    '`unknown`: interrupted before a response; the receiver may have got the request.',
  ),
  startedAt: instant('Start time.'),
  durationMs: milliseconds('Total duration'),
  dnsMs: milliseconds('DNS lookup'),
  connectMs: milliseconds('TCP connect'),
  tlsMs: milliseconds('TLS handshake'),
  firstByteMs: milliseconds('Time to first byte'),
  requestHeaders: nullable(list(header, 'Request headers as sent.')),
  requestBody: text('Request body as sent and signed.'),
  remoteAddress: nullable(text('IP address the request was sent to.')),
  responseStatus: nullable(integer('HTTP status of the response.')),
  responseHeaders: nullable(list(header, 'Response headers, without cookies.')),
  responseBody: nullable(text('Response body, up to 16 KiB.')),
  truncated: flag('Whether the stored response body was truncated.'),
  errorCode: nullable(text('Failure code; null on success.')),
  errorDetail: nullable(text('Failure description; null on success.')),
});

export const deliverySchema = named('Delivery', deliveryFields);
export const deliveryDetailSchema = named('DeliveryDetail', {
  ...deliveryFields,
  attempts: list(attemptSchema, 'Attempts, oldest first. Kept for 30 days by default.'),
});

/** Lists fields explicitly so that new fields are not exposed by accident. */
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
    firstAttemptAt: formatOptional(record.firstAttemptAt),
    nextAttemptAt: formatOptional(record.nextAttemptAt),
    deliveredAt: formatOptional(record.deliveredAt),
  };
}

export function renderDeliveryDetail(
  record: DeliveryRecord & { attempts: readonly AttemptRecord[] },
): object {
  return { ...renderDelivery(record), attempts: record.attempts.map(renderAttempt) };
}

function renderAttempt(attempt: AttemptRecord): object {
  const { n, state, durationMs, dnsMs, connectMs, tlsMs, firstByteMs } = attempt;
  const { requestHeaders, requestBody, remoteAddress } = attempt;
  const { responseStatus, responseHeaders, responseBody, truncated, errorCode, errorDetail } =
    attempt;
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
    startedAt: formatInstant(attempt.startedAt),
  };
}
