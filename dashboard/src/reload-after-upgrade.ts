const MARK = 'reloaded-at';
const PAUSE_MS = 30_000;

/**
 * Reloads a page that was open during an upgrade, because the old build's chunks no longer exist.
 * Doesn't reload again for a while, because a chunk that is still missing after a reload has a
 * different cause.
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
