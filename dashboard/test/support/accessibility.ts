import AxeBuilder from '@axe-core/playwright';
import type { Page } from 'playwright-core';

/** The rules that depend on colors; all others hold in dark mode if they hold in light mode. */
export const COLOR_RULES = ['color-contrast', 'link-in-text-block'];

/**
 * The serious and critical axe violations on the page, each as rule and element. Checks all rules
 * by default. While a dialog is open, checks the dialog only, since the page behind it is inert.
 */
export async function accessibilityViolations(
  page: Page,
  rules?: readonly string[],
): Promise<string[]> {
  await page.getByRole('status', { name: 'Loading' }).first().waitFor({ state: 'detached' });
  let violations: string[] = [];
  // Transitions and late content can cause transient violations. A real one is still there at the
  // third check.
  for (let look = 0; look < 3; look += 1) {
    await page.evaluate(waitForAnimations);
    violations = await runAxe(page, rules);
    if (violations.length === 0) break;
  }
  return violations;
}

async function runAxe(page: Page, rules?: readonly string[]): Promise<string[]> {
  // Legacy mode skips frames; otherwise axe opens another page that hides this one.
  const builder = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'] });
  if ((await page.getByRole('dialog').count()) > 0) builder.include('[role="dialog"]');
  if (rules !== undefined) builder.withRules([...rules]);
  const { violations } = await builder.analyze();
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`));
}

/** Waits for finite animations, since colors in transition can't be judged. */
async function waitForAnimations(): Promise<void> {
  const ending = document
    .getAnimations()
    .filter(({ effect }) => Number.isFinite(Number(effect?.getComputedTiming().endTime)));
  await Promise.allSettled(ending.map(({ finished }) => finished));
}
