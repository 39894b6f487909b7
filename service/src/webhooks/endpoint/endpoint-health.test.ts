import { expect, test } from 'vitest';
import {
  afterEnabling,
  afterFailure,
  afterSuccess,
  dueAlerts,
  type EndpointHealth,
  type HealthChange,
  NEW_ENDPOINT,
} from './endpoint-health.ts';

const START = Date.parse('2026-11-20T15:00:00Z');
const HOUR = 3_600_000;
const HEALTHY = afterSuccess(NEW_ENDPOINT, START).health;

/** Records a failure at each of the given hours after the start, alternating between deliveries. */
function failAt(from: EndpointHealth, hours: readonly number[], deliveries = 2): HealthChange[] {
  const changes: HealthChange[] = [];
  let health = from;
  hours.forEach((hour, index) => {
    const deliveryId = `del_${index % deliveries}`;
    const change = afterFailure(health, { deliveryId, now: START + hour * HOUR, isGone: false });
    changes.push(change);
    health = change.health;
  });
  return changes;
}

function disabledAt(changes: readonly HealthChange[]): number {
  return changes.findIndex(({ disable }) => disable !== null);
}

test('keeps a new endpoint on probation until its first 2xx response, and puts it back on probation after a failure', () => {
  expect(NEW_ENDPOINT.isOnProbation).toBe(true);
  expect(HEALTHY.isOnProbation).toBe(false);
  const [failed] = failAt(HEALTHY, [1]);
  expect(failed?.health.isOnProbation).toBe(true);
});

test('alerts the owner once, at the fourth consecutive failure', () => {
  const changes = failAt(HEALTHY, [0, 0.1, 0.2, 0.3, 0.4]);
  expect(changes.map(({ alerts }) => alerts)).toEqual([[], [], [], ['failing'], []]);
});

test('restarts the failure count after a 2xx response, and reports a recovery only after an alert', () => {
  const three = failAt(HEALTHY, [0, 0.1, 0.2]).at(-1)?.health ?? HEALTHY;
  const success = afterSuccess(three, START + HOUR);
  expect(success.alerts).toEqual([]);
  expect(failAt(success.health, [2, 3, 4]).flatMap(({ alerts }) => alerts)).toEqual([]);
});

test('alerts the owner after one day and after three days of failures, once each, and then reports the recovery', () => {
  const changes = failAt(HEALTHY, [0, 23, 24, 25, 72, 73], 1);
  expect(changes.map(({ alerts }) => alerts)).toEqual([
    [],
    [],
    ['failing_24h'],
    ['failing'],
    ['failing_72h'],
    [],
  ]);
  const last = changes.at(-1)?.health ?? HEALTHY;
  const recovered = afterSuccess(last, START + 80 * HOUR);
  expect(recovered.alerts).toEqual(['recovered']);
  expect(afterSuccess(recovered.health, START + 81 * HOUR).alerts).toEqual([]);
});

test('makes the alerts after one and three days of failures due without a new attempt', () => {
  const health = failAt(HEALTHY, [0])[0]?.health ?? HEALTHY;
  expect(dueAlerts(health, START + 24 * HOUR - 1)).toEqual([]);
  expect(dueAlerts(health, START + 24 * HOUR)).toEqual(['failing_24h']);
  expect(dueAlerts(HEALTHY, START + 100 * HOUR)).toEqual([]);
});

const TEN_IN_SIX_DAYS = [0, 1, 2, 3, 24, 48, 72, 96, 119, 120];

test('disables an endpoint after five days with no 2xx response and at least ten failures across more than one delivery', () => {
  const changes = failAt(HEALTHY, TEN_IN_SIX_DAYS);
  expect(disabledAt(changes)).toBe(9);
  expect(changes.at(-1)).toMatchObject({ disable: 'failing' });
  expect(changes.at(-1)?.alerts).toContain('disabled');
});

test.each([
  ['after only nine failures', [0, 1, 2, 24, 48, 72, 96, 119, 120], 2],
  ['after failures of only one delivery', TEN_IN_SIX_DAYS, 1],
  ['before five days have passed', [0, 1, 2, 3, 24, 48, 72, 96, 119, 119.9], 2],
])('does not disable an endpoint %s', (_, hours, deliveries) => {
  expect(disabledAt(failAt(HEALTHY, hours, deliveries))).toBe(-1);
});

test('does not disable an endpoint after a quiet week until its failures span a day', () => {
  const hours = [200, 201, 202, 203, 204, 205, 206, 207, 208, 209, 223.9, 224];
  expect(disabledAt(failAt(HEALTHY, hours))).toBe(11);
});

test('disables an endpoint immediately after a 410 response', () => {
  const change = afterFailure(HEALTHY, { deliveryId: 'del_1', now: START, isGone: true });
  expect(change).toMatchObject({ disable: 'gone', alerts: ['disabled'] });
});

test('does not disable an endpoint at its first failure after it was enabled, and reports its recovery', () => {
  const disabled = failAt(HEALTHY, TEN_IN_SIX_DAYS).at(-1)?.health ?? HEALTHY;
  const enabled = afterEnabling(disabled);
  expect(failAt(enabled, [200])[0]).toMatchObject({ disable: null });
  expect(afterSuccess(enabled, START + 200 * HOUR).alerts).toEqual(['recovered']);
});

test('reports the recovery of an endpoint that was enabled after alerts, or alerts again if it still fails', () => {
  const failing = failAt(HEALTHY, [0, 1, 2, 3]).at(-1)?.health ?? HEALTHY;
  const mended = afterEnabling(failing);
  expect(afterSuccess(mended, START + 4 * HOUR).alerts).toEqual(['recovered']);
  expect(failAt(mended, [4, 5, 6, 7]).at(-1)?.alerts).toEqual(['failing']);
  expect(afterSuccess(afterEnabling(HEALTHY), START).alerts).toEqual([]);
});
