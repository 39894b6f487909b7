import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Certificate {
  key: string;
  cert: string;
}

export interface Authority {
  /** The authority's certificate, for clients to trust. */
  cert: string;
  issue(options: { name: string; days?: number }): Certificate;
  /** Returns a certificate that no authority signed. */
  selfSigned(name: string): Certificate;
}

const KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];

/**
 * Checks whether openssl is missing. Always returns false under CI, so that tests without openssl
 * fail instead of being skipped.
 */
export function isOpensslMissing(): boolean {
  return (process.env['CI'] ?? '') === '' && spawnSync('openssl', ['version']).error !== undefined;
}

/**
 * Creates a certificate authority with openssl. With `days` set to -1 it issues an expired
 * certificate. Its files are removed when the process exits.
 */
export function createAuthority(): Authority {
  const folder = mkdtempSync(join(tmpdir(), 'certificates-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const pathOf = (file: string): string => join(folder, file);
  const openssl = (...args: string[]): void => {
    execFileSync('openssl', args, { stdio: 'pipe' });
  };
  const read = (file: string): string => readFileSync(pathOf(file), 'utf8');
  let count = 0;

  function selfSigned(name: string): Certificate {
    const [key, cert] = [`${count}.key`, `${count++}.pem`];
    const files = ['-keyout', pathOf(key), '-out', pathOf(cert)];
    const names = ['-subj', `/CN=${name}`, '-addext', `subjectAltName=DNS:${name}`];
    openssl('req', '-x509', ...KEY, ...files, ...names, '-days', '2');
    return { key: read(key), cert: read(cert) };
  }

  const root = selfSigned('Test CA');
  writeFileSync(pathOf('ca.key'), root.key);
  writeFileSync(pathOf('ca.pem'), root.cert);

  function issue({ name, days = 2 }: { name: string; days?: number }): Certificate {
    const [key, request, cert, names] = ['key', 'csr', 'pem', 'ext'].map(
      (extension) => `${count}.${extension}`,
    );
    count++;
    const paths = [key, request, cert, names].map((file) => pathOf(file ?? ''));
    const [keyPath = '', requestPath = '', certPath = '', namesPath = ''] = paths;
    writeFileSync(namesPath, `subjectAltName=DNS:${name}\n`);
    openssl('req', ...KEY, '-keyout', keyPath, '-out', requestPath, '-subj', `/CN=${name}`);
    const signer = ['-CA', pathOf('ca.pem'), '-CAkey', pathOf('ca.key'), '-CAcreateserial'];
    const signing = ['-req', '-in', requestPath, '-out', certPath, '-extfile', namesPath];
    openssl('x509', ...signing, ...signer, '-days', String(days));
    return { key: readFileSync(keyPath, 'utf8'), cert: readFileSync(certPath, 'utf8') };
  }

  return { cert: root.cert, issue, selfSigned };
}
