import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { verifyWebhook } from '../../../sdk/src/index.ts';
import { hasNoBrowser } from '../support/browser.ts';
import { focused, tabTo } from '../support/focus.ts';
import { type Hook, openHook } from '../support/hook.ts';
import { pressOn, typeHere } from '../support/keyboard.ts';
import { callAs } from '../support/management.ts';
import { createOwner, type Owner } from '../support/owner.ts';
import { openStage, settled, type Stage } from '../support/stage.ts';

vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

/** Each test continues from the previous one, using only the keyboard. */
describe.skipIf(hasNoBrowser)('webhooks by keyboard', () => {
  let stage: Stage;
  let hook: Hook;
  let owner: Owner;
  let secret: string;

  beforeAll(async () => {
    hook = await openHook();
    stage = await openStage(hook.env);
    owner = await createOwner(stage, 'Night Harbour');
    await owner.go('/webhooks');
  });
  afterAll(async () => {
    await stage.close();
    await hook.close();
  });

  test('adds a webhook endpoint', async () => {
    const { page } = owner;
    const { keyboard } = page;
    await tabTo(page, /button "New endpoint"/);
    await keyboard.press('Enter');
    await expect.poll(() => focused(page)).toMatch(/textbox "URL"/);
    await keyboard.press('Escape');
    await expect.poll(() => focused(page)).toMatch(/button "New endpoint"/);

    await keyboard.press('Enter');
    await expect.poll(() => focused(page)).toMatch(/textbox "URL"/);
    await typeHere(page, hook.url);
    await tabTo(page, /textbox "Description"/);
    await typeHere(page, 'Night desk');
    await keyboard.press('Enter');
    secret = await page.getByLabel('secret', { exact: true }).innerText();
    const endpoints = await callAs(owner, stage.service.url, 'webhooks-list', {});
    expect(endpoints.map(({ url, description }) => [url, description])).toEqual([
      [hook.url, 'Night desk'],
    ]);
  });

  test("sends a test delivery and shows the receiver's response", async () => {
    const { page } = owner;
    const { keyboard } = page;
    const [company] = await callAs(owner, stage.service.url, 'symbols-search', {
      query: { search: 'c' },
    });
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await pressOn(page, /link "Add subscriptions"/);
    await page.getByRole('heading', { level: 1, name: 'Night desk' }).waitFor();
    await settled(page);
    await tabTo(page, /button "Send test"/);
    await keyboard.press('Enter');
    await expect.poll(() => focused(page)).toMatch(/"Company"/);
    await typeHere(page, company?.symbol ?? '');
    await tabTo(page, /button "Send"/);
    await keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Send test delivery' });
    await dialog.getByText('delivered', { exact: true }).waitFor();
    const [post] = hook.posts();
    expect(await verifyWebhook(post?.body ?? '', post?.headers ?? {}, secret)).toMatchObject({
      ok: true,
    });

    await tabTo(page, /button "Signed request"/);
    await keyboard.press('Enter');
    const headers = dialog.getByRole('region', { name: 'request headers' });
    await headers.getByText(post?.headers.get('X-Service-Signature') ?? 'none').waitFor();
    await keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await expect.poll(() => focused(page)).toMatch(/button "Send test"/);
  });

  test('completes with no browser errors on any page', () => {
    expect(stage.problems()).toEqual([]);
  });
});
