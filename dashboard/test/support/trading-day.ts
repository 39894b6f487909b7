import { CALM_MS } from '../../src/api/use-call.ts';
import type { Visitor } from './stage.ts';

/** A Wednesday without a holiday near it; New York's session is open for hours to come. */
export const TRADING_DAY = '2026-11-18';
export const IN_SESSION = `${TRADING_DAY}T15:00:00Z`;

/** What the page looks at now and then, it looks at once more: its clock goes on, ours need not. */
export async function aWhileLater({ page }: Visitor): Promise<void> {
  await page.clock.fastForward(CALM_MS);
}
