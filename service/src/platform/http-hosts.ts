/**
 * Whether a URL may be asked for. An entry of the list is a host name, which means https on its
 * usual port, or a whole origin such as `http://127.0.0.1:8080`, which means exactly that: plain
 * http and odd ports happen only where the list says so. A URL with a user in it is never allowed.
 */
export function isAllowedUrl(url: URL, hosts: readonly string[]): boolean {
  if (url.username !== '' || url.password !== '') return false;
  return hosts.some((entry) =>
    entry.includes('://')
      ? url.origin === new URL(entry).origin
      : url.protocol === 'https:' && url.port === '' && url.hostname === entry,
  );
}
