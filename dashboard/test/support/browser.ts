import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome'];

/** Returns the path of an installed Chromium, or null if there is none. */
function findChromium(): string | null {
  const configured = process.env['CHROMIUM'];
  if (configured !== undefined) return configured;
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const candidates = folders.flatMap((folder) => NAMES.map((name) => join(folder, name)));
  return candidates.find((candidate) => existsSync(candidate)) ?? null;
}

/** Browser tests are skipped only on machines without Chromium, and never in CI. */
export const hasNoBrowser: boolean = findChromium() === null && (process.env['CI'] ?? '') === '';

/** Launches a browser without background networking. */
export async function openBrowser(): Promise<Browser> {
  const executablePath = findChromium();
  if (executablePath === null) {
    throw new Error('Chromium not found. Install it (apt-get install chromium) or set CHROMIUM.');
  }
  return chromium.launch({
    executablePath,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}
