/** Fields of several parts, which the browser goes through by Tab itself. */
const OF_PARTS = new Set(['date', 'time', 'datetime-local', 'month', 'week']);

/**
 * Dialogs of the library put two moves of the focus off with a timer, and a busy machine comes to
 * them when one is further on: what is typed then goes to another field, and a blank presses a button.
 * - When a dialog opens, it takes the focus twice, to what is marked `data-autofocus`. The mark goes
 *   along with the focus, so that the second time changes nothing.
 * - After Tab in a date it looks whether the focus went where it should. That look is left out: a
 *   dialog has a button on either side of a date, so that nothing leads out of it.
 */
export function keepFocusInDialogs(document: Document): void {
  document.addEventListener('focusin', ({ target }) => {
    const dialog = dialogAround(target);
    if (dialog === null) return;
    for (const marked of dialog.querySelectorAll('[data-autofocus]')) {
      marked.removeAttribute('data-autofocus');
    }
    if (target instanceof Element) target.setAttribute('data-autofocus', 'true');
  });
  // The library listens at the document, one step further out.
  document.body.addEventListener('keydown', (event) => {
    const { key, target } = event;
    if (key !== 'Tab' || !(target instanceof HTMLInputElement)) return;
    if (OF_PARTS.has(target.type) && dialogAround(target) !== null) event.stopPropagation();
  });
}

function dialogAround(target: EventTarget | null): Element | null {
  const dialog = target instanceof Element ? target.closest('[role="dialog"]') : null;
  return dialog === target ? null : dialog;
}
