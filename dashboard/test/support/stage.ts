import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import {
  startAfterbell,
  type StartedAfterbell,
} from '../../../service/test/support/afterbell-process.ts';
import { openBrowser } from './browser.ts';
import { copySandbox } from './made-sandbox.ts';
import { openWatched, type WatchedPage } from './watched-page.ts';

/** A real service on a small sandbox, and a real browser in front of it. */
export interface Stage {
  service: StartedAfterbell;
  browser: Browser;
  /** Opens the account of the first operator; once. */
  setupToken: string;
  /** A key of the sandbox's customer. */
  demoKey: string;
  /** Where its store is. */
  dataDir: string;
  /** A visitor with cookies of their own, and with the service's clock where `NOW` set it. */
  visit(look?: Look): Promise<Visitor>;
  /** Ends the service and starts it anew on the same data and address; pages stay open. */
  restart(env: Readonly<Record<string, string>>): Promise<void>;
  /** Fails with what went wrong in any page so far. */
  troubles(): string[];
  close(): Promise<void>;
}

interface Look {
  scheme?: 'light' | 'dark';
  width?: number;
}

export interface Visitor extends WatchedPage {
  context: BrowserContext;
  /** Goes to an address below `/dashboard` and waits until the screen stands. */
  go(path: string): Promise<void>;
  /**
   * A window of its own, signed in as this one is: a browser hardly draws a page that another page
   * of the same window hides.
   */
  window(): Promise<Visitor>;
}

/** Of its market, unless the stage is told otherwise. */
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

  async function openContext({ scheme = 'light', width = 1280 }: Look): Promise<BrowserContext> {
    const context = await browser.newContext({
      viewport: { width, height: 860 },
      colorScheme: scheme,
      // Nothing is waited for that only moves.
      reducedMotion: 'reduce',
      // The pages show times of the viewer; a test's viewer sits in one place.
      timezoneId: 'Europe/Berlin',
      locale: 'en-GB',
    });
    context.setDefaultTimeout(90_000);
    const { NOW } = env;
    if (NOW !== undefined) await context.clock.install({ time: NOW });
    return context;
  }

  async function openPage(context: BrowserContext): Promise<Visitor> {
    const watched = await openWatched(context, service.url);
    pages.push(watched);
    return {
      ...watched,
      context,
      go: (path) => goTo(watched.page, `${service.url}/dashboard${path}`),
      async window() {
        const other = await openContext({});
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
    visit: async (look = {}) => openPage(await openContext(look)),
    async restart(others) {
      const { port } = new URL(service.url);
      await service.stop();
      const args = ['--data-dir', folder, '--port', port];
      service = await startAfterbell(args, { ...settings, ...others });
    },
    troubles: () => pages.flatMap(({ troubles }) => troubles),
    async close() {
      await browser.close();
      await service.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Whether it is on the market that all stages share: nothing is said of what is asked of whom. */
function isOfSandbox(env: Readonly<Record<string, string>>): boolean {
  return Object.keys(env).every((name) => name === 'NOW' || name === 'WEBHOOK_DEV_ALLOW');
}

/** The screen stands when its heading does and nothing is on its way any more. */
async function goTo(page: Page, url: string): Promise<void> {
  await page.goto(url);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await settled(page);
}

/** No block stands in place of an answer any more. */
export async function settled(page: Page): Promise<void> {
  await page.locator('[aria-label="Loading"]').first().waitFor({ state: 'detached' });
}

/** Makes the first operator through the page. */
export async function setUp(stage: Stage, visitor: Visitor): Promise<void> {
  const { page } = visitor;
  await page.goto(`${stage.service.url}/dashboard/set-up#${stage.setupToken}`);
  await page.getByLabel('E-mail').fill(OPERATOR.email);
  await page.locator('input[autocomplete="new-password"]').fill(OPERATOR.password);
  await page.getByRole('button', { name: 'Set up' }).click();
  await page.waitForURL('**/dashboard/welcome');
}
