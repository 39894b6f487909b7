const MARK = 'reloaded-at';
const PAUSE_MS = 30_000;

/**
 * A page that was open while the service was upgraded asks for files of the build before, which are
 * gone: it is loaded anew. Not twice in a row, since then the files are missing for another reason.
 */
export function reloadOnceWhenReplaced(): void {
  window.addEventListener('vite:preloadError', (event) => {
    const last = Number(sessionStorage.getItem(MARK) ?? '0');
    if (Date.now() - last < PAUSE_MS) return;
    event.preventDefault();
    sessionStorage.setItem(MARK, String(Date.now()));
    window.location.reload();
  });
}
