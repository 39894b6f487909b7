import { Type } from 'typebox';
import { SESSION_MARKERS } from '../../datasets/earnings/observation.ts';
import { loadEarningsOfSecurities } from '../../datasets/earnings/store.ts';
import type { EarningsEvent } from '../../datasets/earnings/row.ts';
import { epsToNumber, wholeToNumber } from '../../domain/decimal.ts';
import { pickScheduledEvent } from './scheduled-event.ts';
import { choice, day, defineTemplate, nullable, type TemplateData } from './template.ts';

/** The date of the next report, its estimates, and its results as soon as they are known. */
export const template = defineTemplate({
  templateId: 'earnings_schedule',
  eventType: 'earnings_schedule.changed',
  describe: 'The schedule, the estimates or the results of the next earnings report changed.',
  dataset: 'earnings',
  data: Type.Object({
    date: day('Report date.'),
    time: choice(SESSION_MARKERS, 'Session of the report.'),
    epsEstimate: nullable(Type.Number({ description: 'Consensus EPS per share.' })),
    revenueEstimate: nullable(
      Type.Number({ description: 'Consensus revenue, in whole units of the currency.' }),
    ),
    eps: nullable(Type.Number({ description: 'Reported EPS; null before the report.' })),
    revenue: nullable(Type.Number({ description: 'Reported revenue; null before the report.' })),
  }),
  async build({ db, now }, securityId) {
    const events = await loadEarningsOfSecurities(db, [securityId]);
    const event = pickScheduledEvent(events, now);
    return event === null ? null : deriveData(event);
  },
  async buildMany({ db, now }, securityIds) {
    const events = await loadEarningsOfSecurities(db, securityIds);
    const data = new Map<string, TemplateData>();
    for (const [securityId, group] of Map.groupBy(events, (row) => row.securityId)) {
      const event = pickScheduledEvent(group, now);
      if (event !== null) data.set(securityId, deriveData(event));
    }
    return data;
  },
});

/**
 * Returns the fields of `data` in their fixed order. EPS is per share in the event's currency, and
 * revenue is in whole units of that currency. Unknown fields are null.
 */
export function deriveData(event: EarningsEvent): TemplateData {
  return {
    date: event.date,
    time: event.time,
    epsEstimate: event.epsEstimate === null ? null : epsToNumber(event.epsEstimate),
    revenueEstimate: event.revenueEstimate === null ? null : wholeToNumber(event.revenueEstimate),
    eps: event.eps === null ? null : epsToNumber(event.eps),
    revenue: event.revenue === null ? null : wholeToNumber(event.revenue),
  };
}
