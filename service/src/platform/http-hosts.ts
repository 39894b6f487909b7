/**
 * Returns true if requests to the URL are allowed. A list entry is either a host name, which allows
 * https on the default port, or a whole origin such as `http://127.0.0.1:8080`, which allows
 * exactly that origin. A URL with a user name is never allowed.
 */
export function isAllowedUrl(url: URL, hosts: readonly string[]): boolean {
  if (url.username !== '' || url.password !== '') return false;
  return hosts.some((entry) =>
    entry.includes('://')
      ? url.origin === new URL(entry).origin
      : url.protocol === 'https:' && url.port === '' && url.hostname === entry,
  );
}
