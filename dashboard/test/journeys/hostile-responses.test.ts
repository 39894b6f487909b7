import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { accessibilityViolations } from '../support/accessibility.ts';
import { hasNoBrowser } from '../support/browser.ts';
import { type Hook, openHook } from '../support/hook.ts';
import { callAs } from '../support/management.ts';
import { createOwner, type Owner } from '../support/owner.ts';
import { openStage, type Stage } from '../support/stage.ts';

vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

const KEPT_MAX = 16 * 1_024;
const MARKUP =
  '<script>alert(1)</script><img src=x onerror=alert(2)><svg onload=alert(3)>' +
  '<a href="javascript:alert(4)">click</a></pre></textarea><iframe srcdoc="<p>in">';
const ANSI = '\u001B[31mred\u001B[0m\u001B]8;;https://evil.example\u0007link\u001B]8;;\u0007';
const TURNED = 'total \u202E000,1\u202C \u2066isolated\u2069 \u200Fright';

const ANSWERS = [
  { name: 'markup', type: 'text/html', body: MARKUP },
  { name: 'terminal control codes', type: 'text/plain', body: ANSI },
  { name: 'bidirectional control characters', type: 'text/plain', body: TURNED },
  {
    name: 'JSON with markup',
    type: 'application/json',
    body: JSON.stringify({ [MARKUP]: MARKUP }),
  },
  { name: 'more than is stored', type: 'text/html', body: MARKUP.repeat(200) },
] as const;

const SCREENS = ['/webhooks', '/webhooks/$endpointId', '/deliveries'];

describe.skipIf(hasNoBrowser)('hostile webhook responses', () => {
  let stage: Stage;
  let hook: Hook;
  let owner: Owner;
  let symbol: string;
  let endpointId: string;
  /** The messages of all dialogs that a page has opened. */
  const dialogs: string[] = [];

  beforeAll(async () => {
    hook = await openHook();
    stage = await openStage(hook.env);
    owner = await createOwner(stage, 'Night Harbour');
    owner.page.on('dialog', (dialog) => {
      dialogs.push(dialog.message());
      void dialog.dismiss();
    });
    const origin = stage.service.url;
    [{ symbol } = { symbol: 'NONE' }] = await callAs(owner, origin, 'symbols-search', {
      query: { search: 'c' },
    });
    ({ id: endpointId } = await callAs(owner, origin, 'webhooks-create', {
      body: { url: hook.url, description: `${MARKUP.slice(0, 60)} ${TURNED}` },
    }));
  });
  afterAll(async () => {
    await stage.close();
    await hook.close();
  });

  test.each(ANSWERS)(
    'shows a webhook response with $name as plain text',
    async ({ type, body }) => {
      const { page } = owner;
      const headers = [`Content-Type: ${type}`, 'X-Note: <script>alert(5)</script>', 'Refresh: 0'];
      hook.answerWith({ status: 500, headers, body });
      const { deliveryId } = await callAs(owner, stage.service.url, 'webhooks-test', {
        path: { endpointId },
        body: { symbol },
      });
      await owner.go(`/deliveries/${deliveryId}`);
      const answer = page.getByLabel('response body', { exact: true });
      const shapes = page.getByRole('radiogroup', { name: 'Format of response body' });
      await answer.waitFor();
      if (type === 'application/json') await shapes.getByText('Raw', { exact: true }).click();
      expect(await answer.textContent()).toBe(body.slice(0, KEPT_MAX));
      expect(await page.getByText(/first 16 KiB/).count()).toBe(body.length > KEPT_MAX ? 1 : 0);
      const head = page.getByRole('region', { name: 'response headers' });
      expect(await head.innerText()).toContain('<script>alert(5)</script>');

      expect(await answer.locator('*').count()).toBe(0);
      expect(await page.locator('main :is(script, img, iframe, [onload], [onerror])').count()).toBe(
        0,
      );
      expect(await page.locator('a[href^="javascript:" i]').count()).toBe(0);
      // A change of text direction in the response must not affect the surrounding text.
      expect(await answer.evaluate((box) => getComputedStyle(box).unicodeBidi)).toMatch(
        /isolate|plaintext/,
      );
      expect(new URL(page.url()).pathname).toBe(`/dashboard/deliveries/${deliveryId}`);
      const width = await page.evaluate(() => document.documentElement.scrollWidth);
      expect(width).toBe(1_280);
      expect(dialogs).toEqual([]);
      expect(await accessibilityViolations(page)).toEqual([]);
    },
  );

  test.each(SCREENS)('shows a hostile endpoint name as plain text on %s', async (path) => {
    const { page } = owner;
    await owner.go(path.replace('$endpointId', endpointId));
    await page.getByText(MARKUP.slice(0, 60)).first().waitFor();
    expect(await page.locator('main :is(script, img, iframe, [onload], [onerror])').count()).toBe(
      0,
    );
    expect(dialogs).toEqual([]);
  });

  test('completes with no browser errors on any page', () => {
    expect(stage.problems()).toEqual([]);
  });
});
