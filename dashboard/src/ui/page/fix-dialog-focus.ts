/** Types of inputs with several parts, which Tab moves through. */
const MULTI_PART_TYPES = new Set(['date', 'time', 'datetime-local', 'month', 'week']);

/**
 * Works around two delayed focus changes in Mantine's dialogs. On a slow machine they happen after
 * the user has moved on, so that the typed text would end up in another field.
 * - When a dialog opens, it focuses the `data-autofocus` element twice. Moving that attribute along
 *   with the focus makes the second time a no-op.
 * - After Tab in a date input, the dialog checks that the focus is still inside. That check is
 *   skipped, because every dialog has buttons on both sides of its date inputs.
 */
export function fixDialogFocus(document: Document): void {
  document.addEventListener('focusin', ({ target }) => {
    const dialog = enclosingDialog(target);
    if (dialog === null) return;
    for (const marked of dialog.querySelectorAll('[data-autofocus]')) {
      marked.removeAttribute('data-autofocus');
    }
    if (target instanceof Element) target.setAttribute('data-autofocus', 'true');
  });
  // Mantine listens on the document, so stopping the event at the body keeps it from Mantine.
  document.body.addEventListener('keydown', (event) => {
    const { key, target } = event;
    if (key !== 'Tab' || !(target instanceof HTMLInputElement)) return;
    if (MULTI_PART_TYPES.has(target.type) && enclosingDialog(target) !== null)
      event.stopPropagation();
  });
}

function enclosingDialog(target: EventTarget | null): Element | null {
  const dialog = target instanceof Element ? target.closest('[role="dialog"]') : null;
  return dialog === target ? null : dialog;
}
