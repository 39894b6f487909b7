import { errors, type Locator, type Page } from 'playwright-core';

/** Where the keyboard is, as it is told to those who hear the page: role and name; or nowhere. */
export async function focused(page: Page): Promise<string> {
  // Within, since a part of a field may have it: the button of a date that opens its calendar.
  const at = page.locator('*:focus-within').last();
  if ((await at.count()) === 0) return '';
  // What had it a moment ago may be gone: to wait for it is to wait for the next press of a key.
  const told = await at.ariaSnapshot({ timeout: GONE_MS }).catch(orNowhere);
  return told.split('\n')[0] ?? '';
}

const GONE_MS = 2_000;

function orNowhere(error: unknown): string {
  if (error instanceof errors.TimeoutError) return '';
  throw error;
}

/**
 * Presses Tab until that control, or one that fits, has the focus; every stop on the way must be
 * seen.
 */
export async function tabTo(page: Page, fits: RegExp | Locator, stopsMax = 60): Promise<void> {
  const seen: string[] = [];
  for (let stop = 0; stop < stopsMax; stop++) {
    await page.keyboard.press('Tab');
    const at = await focused(page);
    // Between the end of the page and its beginning one is in the browser's own bar.
    if (at === '') continue;
    // Within a date one goes from part to part: to look there again would begin it anew.
    const isSame = nameOf(at) === nameOf(seen.at(-1) ?? '');
    seen.push(at);
    if (!isSame && !(await isFocusSeen(page))) {
      // A dialog that opens, or a note that goes, may have taken it away meanwhile.
      if ((await focused(page)) !== at) continue;
      if (!(await isFocusSeen(page))) throw new Error(`the focus is not seen at ${at}`);
    }
    const isThere = fits instanceof RegExp ? fits.test(at) : await hasFocus(fits);
    if (isThere) return;
  }
  throw new Error(`${String(fits)} was not reached:\n${seen.join('\n')}`);
}

/** Without what stands in a field. */
function nameOf(told: string): string {
  return told.replace(/": .*/, '"');
}

function hasFocus(control: Locator): Promise<boolean> {
  return control.evaluate((element) => element === document.activeElement);
}

/**
 * Whether what has the focus differs to the eye from the same without it: by outline, border or
 * shadow, its own or that of the field around it.
 */
export function isFocusSeen(page: Page): Promise<boolean> {
  return page.evaluate(() => {
    const at = document.activeElement;
    const isShown = (it: unknown): it is HTMLElement | SVGElement =>
      it instanceof HTMLElement || it instanceof SVGElement;
    if (!isShown(at) || at === document.body) return false;
    const parents: unknown[] = [at, at.parentElement, at.parentElement?.parentElement];
    const around = parents.filter(isShown);
    for (const element of around) element.style.setProperty('transition', 'none');
    const looks = (): string =>
      around
        .map((element) => {
          const { outlineStyle, outlineWidth, borderColor, boxShadow } = getComputedStyle(element);
          return `${outlineStyle === 'none' ? '' : outlineWidth} ${borderColor} ${boxShadow}`;
        })
        .join();
    const focused = looks();
    at.blur();
    const left = looks();
    at.focus();
    for (const element of around) element.style.removeProperty('transition');
    return focused !== left;
  });
}
