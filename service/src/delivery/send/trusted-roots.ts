import { X509Certificate } from 'node:crypto';
import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls';

/**
 * What receivers are judged by: roots that come with Node.js, those of the system, and the
 * operator's own (`extraCa`, PEM). Throws at once when those cannot be read. Made once, on first
 * use: reading some hundred certificates takes a while.
 */
export function trustedRoots(extraCa: string | null): () => SecureContext {
  const own = extraCa === null ? [] : readCertificates(extraCa);
  let made: SecureContext | null = null;
  return () => {
    made ??= createSecureContext({
      ca: [...getCACertificates('default'), ...getCACertificates('system'), ...own],
      minVersion: 'TLSv1.2',
    });
    return made;
  };
}

/** Throws when there is none, or one cannot be read. */
export function readCertificates(pem: string): string[] {
  const blocks = pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  if (blocks.length === 0) throw new RangeError('there is no certificate in PEM');
  return blocks.map((block) => new X509Certificate(block).toString());
}
