import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rootCertificates } from 'node:tls';
import { expect, onTestFinished, test } from 'vitest';
import { SettingsError } from '../config/settings.ts';
import { readWebhookCaFile } from './webhook-ca-file.ts';

test('the certificates of a file are read, and without a file there are none', async () => {
  const pem = rootCertificates.slice(0, 2).join('\n');
  expect(await readWebhookCaFile(fileOf(pem))).toBe(pem);
  expect(await readWebhookCaFile(null)).toBeNull();
});

test.each([
  ['that is not there', () => '/no/such/file', 'cannot be read (ENOENT)'],
  ['that is a folder', () => tmpdir(), 'cannot be read (EISDIR)'],
  ['without a certificate', () => fileOf('root:x:0:0'), 'there is no certificate in PEM'],
  [
    'with a broken certificate',
    () => fileOf('-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----'),
    'cannot be taken',
  ],
])('a file %s is refused, with its setting and the mend', async (_what, make, problem) => {
  const path = make();
  const refused = await readWebhookCaFile(path).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(SettingsError);
  expect(String(refused)).toContain(`WEBHOOK_CA_FILE ${path} `);
  expect(String(refused)).toContain(problem);
  expect(String(refused)).toContain('or take WEBHOOK_CA_FILE out');
});

function fileOf(content: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'afterbell-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'ca.pem');
  writeFileSync(path, content);
  return path;
}
