import type { SettingProblem } from '../platform/settings.ts';

/** The loopback, in the spellings that people listen on. */
const LOOPBACK = /^(localhost|127(\.\d+){3}|::1|\[::1\])$/i;

/**
 * What is wrong when others can reach the service and nobody said under which address; null when all
 * is well. Without the address the session cookie is not kept to HTTPS, and a page cannot be told
 * from one of another origin.
 */
export function checkPublicUrl(settings: {
  host: string;
  trustProxy: readonly string[] | null;
  publicUrl: string | null;
}): SettingProblem | null {
  const { host, trustProxy, publicUrl } = settings;
  if (publicUrl !== null) return null;
  const isProxied = trustProxy !== null && trustProxy.length > 0;
  if (!isProxied && LOOPBACK.test(host)) return null;
  const cause = isProxied ? 'TRUST_PROXY is set' : `HOST ${host} lets other machines in`;
  return {
    problem: `${cause} while PUBLIC_URL is not, so the session cookie is not kept to HTTPS`,
    fix: 'set PUBLIC_URL to the address customers use, for example PUBLIC_URL=https://earnings.example.com',
  };
}
