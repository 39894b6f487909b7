import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { focused, tabTo } from './focus.ts';

/** Skips the header and navigation with the skip link. */
export async function skipToScreen(page: Page): Promise<void> {
  await tabTo(page, /link "Skip to content"/);
  await page.keyboard.press('Enter');
}

/** Tabs to a control and presses Enter. */
export async function pressOn(page: Page, control: RegExp | Locator): Promise<void> {
  await tabTo(page, control);
  await page.keyboard.press('Enter');
}

/** Tabs to a field and replaces its value. */
export async function typeInto(page: Page, field: RegExp, text: string): Promise<void> {
  await tabTo(page, field);
  await typeOver(page, text);
}

/** Replaces the value of the focused field. */
export async function typeOver(page: Page, text: string): Promise<void> {
  await page.keyboard.press('ControlOrMeta+a');
  await typeHere(page, text);
}

/**
 * Types into the focused field and waits until the text has arrived, so that later keystrokes don't
 * go to another element.
 */
export async function typeHere(page: Page, text: string): Promise<void> {
  await page.keyboard.type(text);
  await expect.poll(() => valueAt(page)).toBe(text);
}

/** Returns the value of the focused field, or null if no field has the focus. */
function valueAt(page: Page): Promise<string | null> {
  return page.evaluate(() => {
    const at = document.activeElement;
    const isField = at instanceof HTMLInputElement || at instanceof HTMLTextAreaElement;
    return isField ? at.value : null;
  });
}

/** Waits until the dialog has the focus. Until then, Tab would move through the page behind it. */
export async function focusIsIn(page: Page, dialog: string): Promise<void> {
  await page.getByRole('dialog', { name: dialog }).locator('*:focus').waitFor();
}

/** Tabs to a select, opens it, and chooses the matching option. */
export async function choose(page: Page, field: RegExp, fits: RegExp): Promise<void> {
  await tabTo(page, field);
  const options = page.getByRole('listbox').getByRole('option');
  if ((await options.count()) === 0) await page.keyboard.press('Enter');
  await options.first().waitFor();
  const at = page.locator('[role="option"][data-combobox-selected]');
  await stepTo(page, async () => (await at.allInnerTexts()).join(), fits);
  await options.first().waitFor({ state: 'detached' });
}

/** Opens the focused menu button and chooses the matching item. */
export async function chooseInMenu(page: Page, fits: RegExp): Promise<void> {
  await page.keyboard.press('Enter');
  await page.getByRole('menu').waitFor();
  await stepTo(page, () => focused(page), fits);
}

/**
 * Moves through the list until the matching item is active. A list responds to keys only a moment
 * after it opens.
 */
async function stepTo(page: Page, where: () => Promise<string>, fits: RegExp): Promise<void> {
  const step = async (): Promise<string> => {
    await page.keyboard.press('ArrowDown');
    return where();
  };
  await expect.poll(step).toMatch(fits);
  await page.keyboard.press('Enter');
}
