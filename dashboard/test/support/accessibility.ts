import AxeBuilder from '@axe-core/playwright';
import type { Page } from 'playwright-core';

/**
 * The rules that depend on colors. All other rules have the same result in dark mode as in light
 * mode.
 */
export const COLOR_RULES = ['color-contrast', 'link-in-text-block'];

/**
 * Returns the serious and critical axe violations on the page, each with its rule and element.
 * Checks all rules by default. While a dialog is open, checks only the dialog, because the page
 * behind it is inert.
 */
export async function accessibilityViolations(
  page: Page,
  rules?: readonly string[],
): Promise<string[]> {
  await page.getByRole('status', { name: 'Loading' }).first().waitFor({ state: 'detached' });
  let violations: string[] = [];
  // Transitions and late content can cause transient violations. A real violation is still present
  // at the third check.
  for (let look = 0; look < 3; look += 1) {
    await page.evaluate(waitForAnimations);
    violations = await runAxe(page, rules);
    if (violations.length === 0) break;
  }
  return violations;
}

async function runAxe(page: Page, rules?: readonly string[]): Promise<string[]> {
  // Legacy mode skips frames. Otherwise, axe would open a second page that hides this one.
  const builder = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'] });
  if ((await page.getByRole('dialog').count()) > 0) builder.include('[role="dialog"]');
  if (rules !== undefined) builder.withRules([...rules]);
  const { violations } = await builder.analyze();
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`));
}

/** Waits for finite animations, because contrast can't be checked while colors are changing. */
async function waitForAnimations(): Promise<void> {
  const ending = document
    .getAnimations()
    .filter(({ effect }) => Number.isFinite(Number(effect?.getComputedTiming().endTime)));
  await Promise.allSettled(ending.map(({ finished }) => finished));
}
