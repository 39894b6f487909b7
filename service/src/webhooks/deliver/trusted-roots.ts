import { createSecureContext, getCACertificates } from 'node:tls';
import type { SecureContext } from 'node:tls';

/**
 * What receivers are judged by: roots that come with Node.js, those of the system, and the
 * operator's own. Made once, on first use: reading some hundred certificates takes a while.
 */
export function trustedRoots(extraCa: string | null): () => SecureContext {
  let made: SecureContext | null = null;
  return () => {
    made ??= createSecureContext({
      ca: [...getCACertificates('default'), ...getCACertificates('system'), extraCa ?? []].flat(),
      minVersion: 'TLSv1.2',
    });
    return made;
  };
}
