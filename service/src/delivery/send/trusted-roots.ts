import { X509Certificate } from 'node:crypto';
import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls';

/**
 * Returns a function for the TLS context that trusts the root certificates of Node.js and of the
 * operating system, plus the operator's own (`extraCa`, PEM). Throws immediately if the operator's
 * certificates cannot be read. The context is created on first use, because reading a few hundred
 * certificates takes a while.
 */
export function trustedRoots(extraCa: string | null): () => SecureContext {
  const extraRoots = extraCa === null ? [] : readCertificates(extraCa);
  let context: SecureContext | null = null;
  return () => {
    context ??= createSecureContext({
      ca: [...getCACertificates('default'), ...getCACertificates('system'), ...extraRoots],
      minVersion: 'TLSv1.2',
    });
    return context;
  };
}

/** Returns the certificates in a PEM text. Throws if there are none, or if one cannot be read. */
export function readCertificates(pem: string): string[] {
  const blocks = pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  if (blocks.length === 0) throw new RangeError('there is no certificate in PEM');
  return blocks.map((block) => new X509Certificate(block).toString());
}
