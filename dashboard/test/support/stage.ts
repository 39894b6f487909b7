import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import {
  startAfterbell,
  type StartedAfterbell,
} from '../../../service/test/support/afterbell-process.ts';
import { openBrowser } from './browser.ts';
import { copySandbox } from './sandbox-copy.ts';
import { openWatched, type WatchedPage } from './watched-page.ts';

/** A real service with a small simulated market, and a real browser that uses it. */
export interface Stage {
  service: StartedAfterbell;
  browser: Browser;
  /** The token for setting up the first operator. It works only once. */
  setupToken: string;
  /** An API key of the sandbox's customer. */
  demoKey: string;
  /** The path of the data folder. */
  dataDir: string;
  /** Opens a new browser context. If `NOW` is set, the context uses the service's clock. */
  visit(look?: Look): Promise<Visitor>;
  /** Restarts the service with the same data and address. Pages stay open. */
  restart(env: Readonly<Record<string, string>>): Promise<void>;
  /** Returns all problems on all pages so far. */
  problems(): string[];
  close(): Promise<void>;
}

interface Look {
  scheme?: 'light' | 'dark';
  width?: number;
}

export interface Visitor extends WatchedPage {
  context: BrowserContext;
  /** Opens a page under `/dashboard` and waits until it has loaded. */
  go(path: string): Promise<void>;
  /**
   * Opens a new window with the same session. Browsers throttle a page that is hidden behind
   * another page in the same window.
   */
  window(): Promise<Visitor>;
}

/** The default number of companies in the simulated market. */
export const STAGE_COMPANIES = 60;
export const OPERATOR = { email: 'operator@example.com', password: 'four quiet herons wait' };

export async function openStage(env: Readonly<Record<string, string>> = {}): Promise<Stage> {
  const folder = mkdtempSync(join(tmpdir(), 'afterbell-stage-'));
  const settings: Record<string, string> = { SANDBOX_SYMBOLS: String(STAGE_COMPANIES), ...env };
  const start = async (): Promise<StartedAfterbell> => {
    if (isOfSandbox(env)) await copySandbox(settings, folder);
    return startAfterbell(['--data-dir', folder], settings);
  };
  const [started, browser] = await Promise.all([start(), openBrowser()]);
  let service = started;
  const pages: WatchedPage[] = [];

  async function openPage(context: BrowserContext): Promise<Visitor> {
    const watched = await openWatched(context, service.url);
    pages.push(watched);
    return {
      ...watched,
      context,
      go: (path) => goTo(watched.page, `${service.url}/dashboard${path}`),
      async window() {
        const other = await openContext(browser, {}, env['NOW']);
        await other.addCookies(await context.cookies());
        return openPage(other);
      },
    };
  }

  return {
    get service() {
      return service;
    },
    browser,
    dataDir: folder,
    setupToken: /set-up#(\S+)/.exec(service.output.stderr)?.[1] ?? 'none was printed',
    demoKey: /apikey=(eds_test_\w+)/.exec(service.output.stderr)?.[1] ?? 'none was printed',
    visit: async (look = {}) => openPage(await openContext(browser, look, env['NOW'])),
    async restart(others) {
      const { port } = new URL(service.url);
      await service.stop();
      const args = ['--data-dir', folder, '--port', port];
      service = await startAfterbell(args, { ...settings, ...others });
    },
    problems: () => pages.flatMap(({ problems }) => problems),
    async close() {
      await browser.close();
      await service.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function openContext(
  browser: Browser,
  { scheme = 'light', width = 1280 }: Look,
  now: string | undefined,
): Promise<BrowserContext> {
  const context = await browser.newContext({
    viewport: { width, height: 860 },
    colorScheme: scheme,
    // Disables animations, so that tests don't have to wait for them.
    reducedMotion: 'reduce',
    // A fixed time zone, because pages show local times.
    timezoneId: 'Europe/Berlin',
    locale: 'en-GB',
  });
  context.setDefaultTimeout(90_000);
  if (now !== undefined) await context.clock.install({ time: now });
  return context;
}

/**
 * Returns true if the stage can use the shared sandbox, because none of the settings affects the
 * sandbox data.
 */
function isOfSandbox(env: Readonly<Record<string, string>>): boolean {
  return Object.keys(env).every((name) => name === 'NOW' || name === 'WEBHOOK_DEV_ALLOW');
}

/**
 * Opens a URL and waits until the page has loaded, which means that its heading is shown and no
 * placeholder is left.
 */
async function goTo(page: Page, url: string): Promise<void> {
  await page.goto(url);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await settled(page);
}

/** Waits until no loading placeholder is left. */
export async function settled(page: Page): Promise<void> {
  await page.locator('[aria-label="Loading"]').first().waitFor({ state: 'detached' });
}

/** Creates the first operator on the setup page. */
export async function setUp(stage: Stage, visitor: Visitor): Promise<void> {
  const { page } = visitor;
  await page.goto(`${stage.service.url}/dashboard/set-up#${stage.setupToken}`);
  await page.getByLabel('Email').fill(OPERATOR.email);
  await page.locator('input[autocomplete="new-password"]').fill(OPERATOR.password);
  await page.getByRole('button', { name: 'Set up' }).click();
  await page.waitForURL('**/dashboard/welcome');
}
