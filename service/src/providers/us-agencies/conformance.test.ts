import { describeProvider } from '../../../test/support/providers/conformance.ts';
import { loadFixtures } from '../../../test/support/providers/fixtures.ts';
import { WELL_KNOWN_EVENTS } from '../../datasets/economic-events/well-known-events.ts';
import { localDate } from '../../domain/local-date.ts';
import { provider } from './index.ts';

const date = localDate('2026-11-20');

describeProvider({
  provider,
  fixtures: loadFixtures(import.meta.url),
  testUrl: import.meta.url,
  context: {
    awaitedFigures: WELL_KNOWN_EVENTS.map(({ stem }) => ({ stem, date, provider: null })),
  },
});
