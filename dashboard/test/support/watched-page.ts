import type { BrowserContext, Page } from 'playwright-core';

/** A page with everything that went wrong in it, in words. */
export interface WatchedPage {
  page: Page;
  /** Console errors, faults of scripts, requests to elsewhere, answers of 500 and above. */
  troubles: string[];
}

/** Opens a page that reports to us; `origin` is the only place it may ask. */
export async function openWatched(context: BrowserContext, origin: string): Promise<WatchedPage> {
  const page = await context.newPage();
  const troubles: string[] = [];
  page.on('console', (message) => {
    // A refusal that a screen handles, such as 401 at the door, is logged by the browser itself.
    const isRefusal = message.text().startsWith('Failed to load resource');
    if (message.type() === 'error' && !isRefusal) troubles.push(`console: ${message.text()}`);
  });
  page.on('pageerror', (error) => troubles.push(`script: ${error.message}`));
  page.on('request', (request) => {
    const url = request.url();
    const isHere = url.startsWith(`${origin}/`) || /^(data|blob):/.test(url);
    if (!isHere) troubles.push(`request to elsewhere: ${url}`);
  });
  page.on('response', (response) => {
    if (response.status() >= 500) troubles.push(`${response.status()} from ${response.url()}`);
  });
  return { page, troubles };
}
