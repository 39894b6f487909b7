import type { SettingProblem } from '../platform/settings.ts';
import { LOOPBACK } from './loopback.ts';

/**
 * Returns a problem if PUBLIC_URL is not set although other machines can reach the service,
 * otherwise null. Without PUBLIC_URL, the session cookie is not limited to HTTPS and the origin of
 * a request cannot be checked.
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
  const cause = isProxied ? 'TRUST_PROXY is set' : `HOST ${host} accepts other machines`;
  return {
    problem: `${cause} but PUBLIC_URL is not set, so the session cookie is not limited to HTTPS`,
    fix: 'set PUBLIC_URL to the address customers use, for example PUBLIC_URL=https://earnings.example.com',
  };
}
