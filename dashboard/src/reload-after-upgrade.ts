const MARK = 'reloaded-at';
const PAUSE_MS = 30_000;

/**
 * Reloads a page that was open during an upgrade, since the chunks of the old build are gone.
 * Reloads only once in a while: after that, a missing chunk has another cause.
 */
export function reloadAfterUpgrade(): void {
  window.addEventListener('vite:preloadError', (event) => {
    const last = Number(sessionStorage.getItem(MARK) ?? '0');
    if (Date.now() - last < PAUSE_MS) return;
    event.preventDefault();
    sessionStorage.setItem(MARK, String(Date.now()));
    window.location.reload();
  });
}
