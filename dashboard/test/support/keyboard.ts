import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { focused, tabTo } from './focus.ts';

/** Past the bar and the list of screens. */
export async function skipToScreen(page: Page): Promise<void> {
  await tabTo(page, /link "Skip to the screen"/);
  await page.keyboard.press('Enter');
}

/** Goes to a control and presses it. */
export async function pressOn(page: Page, control: RegExp | Locator): Promise<void> {
  await tabTo(page, control);
  await page.keyboard.press('Enter');
}

/** Goes to a field and types into it, in place of what stands there. */
export async function typeInto(page: Page, field: RegExp, text: string): Promise<void> {
  await tabTo(page, field);
  await typeOver(page, text);
}

/** Types into the field that has the focus, in place of what stands there. */
export async function typeOver(page: Page, text: string): Promise<void> {
  await page.keyboard.press('ControlOrMeta+a');
  await typeHere(page, text);
}

/**
 * Types into the field that has the focus, and sees that it stands there: a later key would act on
 * something else.
 */
export async function typeHere(page: Page, text: string): Promise<void> {
  await page.keyboard.type(text);
  await expect.poll(() => valueAt(page)).toBe(text);
}

/** What stands in the field that has the focus; null when that is no field. */
function valueAt(page: Page): Promise<string | null> {
  return page.evaluate(() => {
    const at = document.activeElement;
    const isField = at instanceof HTMLInputElement || at instanceof HTMLTextAreaElement;
    return isField ? at.value : null;
  });
}

/** A dialog takes the focus a moment after it opens; before, Tab would lead on behind it. */
export async function focusIsIn(page: Page, dialog: string): Promise<void> {
  await page.getByRole('dialog', { name: dialog }).locator('*:focus').waitFor();
}

/** Goes to a field with choices, opens it, and takes the one that fits. */
export async function choose(page: Page, field: RegExp, fits: RegExp): Promise<void> {
  await tabTo(page, field);
  const options = page.getByRole('listbox').getByRole('option');
  if ((await options.count()) === 0) await page.keyboard.press('Enter');
  await options.first().waitFor();
  const at = page.locator('[role="option"][data-combobox-selected]');
  await stepTo(page, async () => (await at.allInnerTexts()).join(), fits);
  await options.first().waitFor({ state: 'detached' });
}

/** Opens the menu of the control that has the focus, and takes the item that fits. */
export async function chooseInMenu(page: Page, fits: RegExp): Promise<void> {
  await page.keyboard.press('Enter');
  await page.getByRole('menu').waitFor();
  await stepTo(page, () => focused(page), fits);
}

/** A list takes the first step a moment after it opens, so each step looks where it is. */
async function stepTo(page: Page, where: () => Promise<string>, fits: RegExp): Promise<void> {
  const step = async (): Promise<string> => {
    await page.keyboard.press('ArrowDown');
    return where();
  };
  await expect.poll(step).toMatch(fits);
  await page.keyboard.press('Enter');
}
