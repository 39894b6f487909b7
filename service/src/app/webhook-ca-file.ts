import { readFile } from 'node:fs/promises';
import { SettingsError } from '../config/settings.ts';
import { readCertificates } from '../delivery/send/trusted-roots.ts';

/**
 * The certificates of WEBHOOK_CA_FILE, in PEM; null when there is none. Throws `SettingsError`, which
 * says what to do, when it cannot be read or holds what is no certificate.
 */
export async function readWebhookCaFile(path: string | null): Promise<string | null> {
  if (path === null) return null;
  const pem = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw refused(`WEBHOOK_CA_FILE ${path} cannot be read (${error.code ?? error.message})`);
  });
  try {
    readCertificates(pem);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw refused(`WEBHOOK_CA_FILE ${path} cannot be taken (${why})`);
  }
  return pem;
}

function refused(problem: string): SettingsError {
  const mend = 'name a file of certificates in PEM, or take WEBHOOK_CA_FILE out';
  return new SettingsError([{ problem, fix: mend }]);
}
