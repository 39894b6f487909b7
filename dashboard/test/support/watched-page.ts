import type { BrowserContext, Page } from 'playwright-core';

/** A page that records its own problems. */
export interface WatchedPage {
  page: Page;
  /** Console errors, uncaught exceptions, requests to other origins, and 5xx responses. */
  problems: string[];
}

/** Opens a page that records problems. `origin` is the only allowed origin. */
export async function openWatched(context: BrowserContext, origin: string): Promise<WatchedPage> {
  const page = await context.newPage();
  const problems: string[] = [];
  page.on('console', (message) => {
    // The browser itself logs rejected requests, such as a 401 at sign-in.
    const isRefusal = message.text().startsWith('Failed to load resource');
    if (message.type() === 'error' && !isRefusal) problems.push(`console: ${message.text()}`);
  });
  page.on('pageerror', (error) => problems.push(`script: ${error.message}`));
  page.on('request', (request) => {
    const url = request.url();
    const isHere = url.startsWith(`${origin}/`) || /^(data|blob):/.test(url);
    if (!isHere) problems.push(`request to elsewhere: ${url}`);
  });
  page.on('response', (response) => {
    if (response.status() >= 500) problems.push(`${response.status()} from ${response.url()}`);
  });
  return { page, problems };
}
