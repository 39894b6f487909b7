import { expect, test } from 'vitest';
import { parseData, renderPayload, serializeData } from './payload.ts';

const FIELDS = ['date', 'time', 'eps'];

test('writes the fields of the request body in the documented order', () => {
  const body = renderPayload({
    id: 'del_1',
    createdAt: Date.parse('2026-11-20T15:00:00.250Z'),
    templateId: 'earnings_schedule',
    eventType: 'earnings_schedule.changed',
    symbol: 'NRTH',
    data: serializeData(['date', 'eps'], { date: '2026-11-20', eps: null }),
    changedFields: ['date'],
  });
  expect(body).toBe(
    '{"id":"del_1","created_at":"2026-11-20T15:00:00.250Z","template_id":"earnings_schedule",' +
      '"event_type":"earnings_schedule.changed","context":{"symbol":"NRTH"},' +
      '"data":{"date":"2026-11-20","eps":null},"changed_fields":["date"]}',
  );
});

test('serializes equal data to equal text, regardless of the field order in the input', () => {
  const text = serializeData(FIELDS, { eps: 1.5, other: 'x', date: '2026-11-20' });
  expect(text).toBe('{"date":"2026-11-20","time":null,"eps":1.5}');
  expect(serializeData(FIELDS, parseData(text))).toBe(text);
});

test.each([NaN, Infinity, -Infinity])('throws for %d, which JSON cannot represent', (eps) => {
  expect(() => serializeData(FIELDS, { eps })).toThrow('no finite number');
});
