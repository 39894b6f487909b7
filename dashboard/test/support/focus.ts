import { errors, type Locator, type Page } from 'playwright-core';

/**
 * Returns the role and name of the focused element, as announced by a screen reader, or an empty
 * string if nothing has the focus.
 */
export async function focused(page: Page): Promise<string> {
  // Uses focus-within, because the focus may be on part of a field, such as the calendar button in
  // a date input.
  const element = page.locator('*:focus-within').last();
  if ((await element.count()) === 0) return '';
  // The element may disappear before the snapshot is taken.
  const snapshot = await element.ariaSnapshot({ timeout: GONE_MS }).catch(orNowhere);
  return snapshot.split('\n')[0] ?? '';
}

const GONE_MS = 2_000;

function orNowhere(error: unknown): string {
  if (error instanceof errors.TimeoutError) return '';
  throw error;
}

/**
 * Presses Tab until a matching control has the focus. Every stop on the way must have a visible
 * focus indicator.
 */
export async function tabTo(page: Page, target: RegExp | Locator, stopsMax = 60): Promise<void> {
  const stops: string[] = [];
  for (let stop = 0; stop < stopsMax; stop++) {
    await page.keyboard.press('Tab');
    const current = await focused(page);
    // Between the end and the start of the page, the focus is in the browser's own UI.
    if (current === '') continue;
    // Tab moves through the parts of a date input. If the same input were checked again, the focus
    // would move back to its first part.
    const isSame = nameOf(current) === nameOf(stops.at(-1) ?? '');
    stops.push(current);
    if (!isSame && !(await isFocusSeen(page))) {
      // An opening dialog or a closing notification may have moved the focus.
      if ((await focused(page)) !== current) continue;
      if (!(await isFocusSeen(page))) throw new Error(`no visible focus indicator at ${current}`);
    }
    const isThere = target instanceof RegExp ? target.test(current) : await hasFocus(target);
    if (isThere) return;
  }
  throw new Error(`${String(target)} was not reached:\n${stops.join('\n')}`);
}

/** Returns the snapshot without the value of the field. */
function nameOf(snapshot: string): string {
  return snapshot.replace(/": .*/, '"');
}

function hasFocus(control: Locator): Promise<boolean> {
  return control.evaluate((element) => element === document.activeElement);
}

/**
 * Returns true if the focus visibly changes the outline, border, or shadow of the focused element
 * or of the field around it.
 */
export function isFocusSeen(page: Page): Promise<boolean> {
  return page.evaluate(() => {
    const active = document.activeElement;
    const isShown = (node: unknown): node is HTMLElement | SVGElement =>
      node instanceof HTMLElement || node instanceof SVGElement;
    if (!isShown(active) || active === document.body) return false;
    const parents: unknown[] = [active, active.parentElement, active.parentElement?.parentElement];
    const around = parents.filter(isShown);
    for (const element of around) element.style.setProperty('transition', 'none');
    const style = (): string =>
      around
        .map((element) => {
          const { outlineStyle, outlineWidth, borderColor, boxShadow } = getComputedStyle(element);
          return `${outlineStyle === 'none' ? '' : outlineWidth} ${borderColor} ${boxShadow}`;
        })
        .join();
    const focused = style();
    active.blur();
    const withoutFocus = style();
    active.focus();
    for (const element of around) element.style.removeProperty('transition');
    return focused !== withoutFocus;
  });
}
