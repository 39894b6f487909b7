import AxeBuilder from '@axe-core/playwright';
import type { Page } from 'playwright-core';

/** The rules that colours can break; all others hold in the dark if they hold in the light. */
export const OF_COLOURS = ['color-contrast', 'link-in-text-block'];

/**
 * What hinders people on the page now, serious or worse: the rule, and where it is broken. By all
 * rules unless some are named. While a dialog is open, in it alone: the screen behind it is out of
 * reach, and judged by itself.
 */
export async function hindrances(page: Page, rules?: readonly string[]): Promise<string[]> {
  await page.getByRole('status', { name: 'Loading' }).first().waitFor({ state: 'detached' });
  let found: string[] = [];
  // What comes in meanwhile, and the colours it comes in with, are judged as they stay: what hinders
  // somebody does so at the third look as well.
  for (let look = 0; look < 3; look += 1) {
    await page.evaluate(allStill);
    found = await judge(page, rules);
    if (found.length === 0) break;
  }
  return found;
}

async function judge(page: Page, rules?: readonly string[]): Promise<string[]> {
  // Nothing is judged in frames, for which a page more would be opened and hide this one.
  const builder = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'] });
  if ((await page.getByRole('dialog').count()) > 0) builder.include('[role="dialog"]');
  if (rules !== undefined) builder.withRules([...rules]);
  const { violations } = await builder.analyze();
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`));
}

/** Colours on their way from one to another are neither; what turns for ever is not waited for. */
async function allStill(): Promise<void> {
  const ending = document
    .getAnimations()
    .filter(({ effect }) => Number.isFinite(Number(effect?.getComputedTiming().endTime)));
  await Promise.allSettled(ending.map(({ finished }) => finished));
}
