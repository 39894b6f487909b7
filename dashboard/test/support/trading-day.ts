import { CALM_MS } from '../../src/api/use-call.ts';
import type { Visitor } from './stage.ts';

/** A Wednesday with no holidays nearby. The New York session stays open for hours. */
export const TRADING_DAY = '2026-11-18';
export const IN_SESSION = `${TRADING_DAY}T15:00:00Z`;

/** Advances the page's clock to the next poll. */
export async function aWhileLater({ page }: Visitor): Promise<void> {
  await page.clock.fastForward(CALM_MS);
}
