import type { Locator, Page } from 'playwright-core';
import type { Hook, Post } from './hook.ts';
import { settled, type Visitor } from './stage.ts';

/** Adds an endpoint with the form and returns its secret. */
export async function addEndpoint(
  { page }: Visitor,
  { url, name }: { url: string; name: string },
): Promise<string> {
  await page.getByRole('button', { name: 'New endpoint' }).click();
  const dialog = page.getByRole('dialog', { name: 'New endpoint' });
  await dialog.getByLabel('URL').fill(url);
  await dialog.getByLabel('Description').fill(name);
  await dialog.getByRole('button', { name: 'Add endpoint' }).click();
  const secret = await page.getByLabel('secret', { exact: true }).innerText();
  await dialog.waitFor({ state: 'detached' });
  return secret;
}

export type Tab = 'Overview' | 'Subscriptions' | 'Secret' | 'Verify' | 'Settings';

/** Opens a tab on the endpoint page. */
export async function openTab({ page }: Visitor, name: Tab): Promise<void> {
  await page.getByRole('tab', { name, exact: true }).click();
  await settled(page);
}

/** Pastes symbols into the Subscriptions tab and subscribes to them. */
export async function subscribe({ page }: Visitor, pasted: string): Promise<void> {
  await page.getByLabel('Symbols', { exact: true }).fill(pasted);
  await page.getByRole('button', { name: 'Subscribe', exact: true }).click();
  await page.getByText(/^\d+ subscribed$/).waitFor();
}

/** Sends a test delivery from the endpoint page and returns the dialog with the result. */
export async function sendTest({ page }: Visitor, symbol: string): Promise<Locator> {
  await page.getByRole('button', { name: 'Send test' }).click();
  const dialog = page.getByRole('dialog', { name: 'Send test delivery' });
  await dialog.getByLabel('Company').fill(symbol);
  await dialog.getByRole('button', { name: 'Send', exact: true }).click();
  await dialog.getByText(/^(?:delivered|failed)$/).waitFor();
  return dialog;
}

/**
 * Returns the POST for the test delivery shown in the dialog. Other deliveries may have arrived
 * too.
 */
export async function postOf(hook: Hook, dialog: Locator): Promise<Post> {
  const link = dialog.getByRole('link', { name: 'View delivery' });
  const address = (await link.getAttribute('href')) ?? '';
  const id = /deliveries\/([^?]+)/.exec(address)?.[1];
  const posts = hook.posts().filter(({ headers }) => headers.get('X-Service-Delivery-Id') === id);
  const [post, ...others] = posts;
  if (post === undefined || others.length > 0) throw new Error(`${posts.length} POSTs of ${id}`);
  return post;
}

/**
 * Returns the accessible description of a field, such as its error, or an empty string if there is
 * none.
 */
export function reasonAt(page: Page, label: string | RegExp): Promise<string> {
  return page.getByLabel(label, { exact: true }).evaluate((field) => {
    const ids = field.getAttribute('aria-describedby')?.split(' ') ?? [];
    return ids.map((id) => document.getElementById(id)?.textContent ?? '').join(' ');
  });
}
