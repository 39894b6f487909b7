import { topics } from '../../datasets/topics.gen.ts';
import { Type } from 'typebox';
import type { Endpoint } from '../endpoint.ts';
import { CHANGE_FILTERS, SINCE } from '../rows/change-query.ts';
import { CHANGING_DATASETS } from '../rows/change-row.ts';

/**
 * The stream of changes. It has no place in the registry, because a stream has no body that other
 * formats or clients could read; `http/stream` serves it.
 */
export const changesStream: Endpoint = {
  name: 'changes-stream',
  path: '/v1/changes/stream',
  summary: 'Follow data changes as they happen',
  describe:
    'The rows of `/v1/changes` as server-sent events, at once and then as they are committed. ' +
    'Each event has the name `change`, the `id` of its change and the row as JSON. A client that ' +
    'reconnects sends the last id as `Last-Event-ID`, as browsers do by themselves, and misses ' +
    'no change and receives none twice. Without `since` and `Last-Event-ID`, the stream starts with the ' +
    'next change. A heartbeat follows after 15 seconds without an event. An event without data ' +
    'only moves the position. Each connection counts as one request, and a customer may have as ' +
    'many open streams as its plan allows requests per minute, at most 100. The stream ends when ' +
    'its key becomes unusable. A position that the history of the service no longer has is ' +
    'rejected with the problem `position-lost`.',
  tag: 'data',
  parameters: [
    {
      ...SINCE,
      describe:
        'The `id` of the last change you received, or an instant. `Last-Event-ID` takes precedence.',
    },
    ...CHANGE_FILTERS,
  ],
  mediaType: 'text/event-stream',
  response: Type.String({ description: 'Server-sent events, one per change.' }),
  example: [
    'retry: 3000',
    'id: chg_000000184466',
    '',
    'id: chg_000000184467',
    'event: change',
    'data: {"id":"chg_000000184467","dataset":"earnings","kind":"changed","symbol":"NRTH"}',
    '',
    '',
  ].join('\n'),
  datasets: CHANGING_DATASETS,
  historicalAccess: true,
  isStream: true,
  topics: () => [topics.changes.any],
  maxAgeSeconds: () => 0,
  handle: () => Promise.reject(new Error('a stream has no single response')),
};
