import { economicEventVersions } from '../../datasets/economic-events/store.ts';
import {
  ECONOMIC_SOURCES,
  economicEventRow,
  renderEconomicEvent,
} from '../rows/economic-event-row.ts';
import { defineTable, storedVersions } from './table.ts';

export const table = defineTable({
  name: 'economic-events',
  describe: 'Economic releases and events: schedule, consensus, figures.',
  endpoint: '/v1/calendar/economic',
  row: economicEventRow,
  sources: ECONOMIC_SOURCES,
  stored: storedVersions('economic_event', economicEventVersions, {
    key: 'id',
    day: ['date', 'date'],
  }),
  render: renderEconomicEvent,
});
