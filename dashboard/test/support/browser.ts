import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome'];

/** The machine's Chromium; null when it has none. */
function findChromium(): string | null {
  const stated = process.env['CHROMIUM'];
  if (stated !== undefined) return stated;
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const places = folders.flatMap((folder) => NAMES.map((name) => join(folder, name)));
  return places.find((place) => existsSync(place)) ?? null;
}

/**
 * Whether tests with a browser are left out: only on a machine without one, and never where every
 * test must run.
 */
export const hasNoBrowser: boolean = findChromium() === null && (process.env['CI'] ?? '') === '';

/** A browser of its own, without anything that speaks to the world by itself. */
export async function openBrowser(): Promise<Browser> {
  const executablePath = findChromium();
  if (executablePath === null) {
    throw new Error(
      'There is no Chromium: install it (apt-get install chromium), or set CHROMIUM.',
    );
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
