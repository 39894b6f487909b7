import { expect, test } from 'vitest';
import { parseData, type Payload, renderPayload, serializeData } from './payload.ts';

const FIELDS = ['date', 'time', 'eps'];
const PAYLOAD: Payload = {
  format: 'json',
  id: 'del_1',
  endpointId: 'whe_1',
  createdAt: Date.parse('2026-11-20T15:00:00.250Z'),
  templateId: 'earnings_schedule',
  eventType: 'earnings_schedule.changed',
  symbol: 'NRTH',
  data: serializeData(['date', 'eps'], { date: '2026-11-20', eps: null }),
  changedFields: ['date', 'eps'],
};

test('writes the fields of the request body in the documented order', () => {
  expect(renderPayload(PAYLOAD)).toBe(
    '{"id":"del_1","created_at":"2026-11-20T15:00:00.250Z","template_id":"earnings_schedule",' +
      '"event_type":"earnings_schedule.changed","context":{"symbol":"NRTH"},' +
      '"data":{"date":"2026-11-20","eps":null},"changed_fields":["date","eps"]}',
  );
});

test('renders a CloudEvent with the same id, time and data, and the changed fields as text', () => {
  const event: unknown = JSON.parse(renderPayload({ ...PAYLOAD, format: 'cloudevents' }));
  expect(event).toEqual({
    specversion: '1.0',
    id: 'del_1',
    source: '/account/v1/webhooks/whe_1',
    type: 'earnings_schedule.changed',
    time: '2026-11-20T15:00:00.250Z',
    subject: 'NRTH',
    datacontenttype: 'application/json',
    templateid: 'earnings_schedule',
    changedfields: 'date,eps',
    data: { date: '2026-11-20', eps: null },
  });
});

test('serializes equal data to equal text, regardless of the field order in the input', () => {
  const text = serializeData(FIELDS, { eps: 1.5, other: 'x', date: '2026-11-20' });
  expect(text).toBe('{"date":"2026-11-20","time":null,"eps":1.5}');
  expect(serializeData(FIELDS, parseData(text))).toBe(text);
});

test.each([NaN, Infinity, -Infinity])('throws for %d, which JSON cannot represent', (eps) => {
  expect(() => serializeData(FIELDS, { eps })).toThrow('no finite number');
});
