import type { Page } from 'playwright-core';

/** Where the keyboard is, as it is told to those who hear the page: role and name. */
export async function focused(page: Page): Promise<string> {
  // Within, since a part of a field may have it: the button of a date that opens its calendar.
  const told = await page.locator('*:focus-within').last().ariaSnapshot();
  return told.split('\n')[0] ?? '';
}

/** Presses Tab until the control that `fits` has the focus; every stop on the way must be seen. */
export async function tabTo(page: Page, fits: RegExp, stopsMax = 40): Promise<void> {
  const seen: string[] = [];
  for (let stop = 0; stop < stopsMax; stop++) {
    await page.keyboard.press('Tab');
    const at = await focused(page);
    // Within a date one goes from part to part: to look there again would begin it anew.
    const isSame = at === seen.at(-1);
    seen.push(at);
    if (!isSame && !(await isFocusSeen(page))) throw new Error(`the focus is not seen at ${at}`);
    if (fits.test(at)) return;
  }
  throw new Error(`${fits} was not reached:\n${seen.join('\n')}`);
}

/**
 * Whether what has the focus differs to the eye from the same without it: by outline, border or
 * shadow, its own or that of the field around it.
 */
export function isFocusSeen(page: Page): Promise<boolean> {
  return page.evaluate(() => {
    const at = document.activeElement;
    if (!(at instanceof HTMLElement) || at === document.body) return false;
    const around = [at, at.parentElement, at.parentElement?.parentElement].filter(
      (element) => element instanceof HTMLElement,
    );
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
