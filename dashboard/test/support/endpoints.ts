import type { Locator, Page } from 'playwright-core';
import type { Hook, Post } from './hook.ts';
import { settled, type Visitor } from './stage.ts';

/** Adds an endpoint through the form of the screen; its secret is what the screen then shows. */
export async function addEndpoint(
  { page }: Visitor,
  { url, name }: { url: string; name: string },
): Promise<string> {
  await page.getByRole('button', { name: 'New endpoint' }).click();
  const dialog = page.getByRole('dialog', { name: 'New endpoint' });
  await dialog.getByLabel('URL').fill(url);
  await dialog.getByLabel('What you call it').fill(name);
  await dialog.getByRole('button', { name: 'Add the endpoint' }).click();
  const secret = await page.getByLabel('the secret', { exact: true }).innerText();
  await dialog.waitFor({ state: 'detached' });
  return secret;
}

export type Tab = 'Overview' | 'Subscriptions' | 'Secret' | 'Verify' | 'Settings';

/** On the screen of an endpoint. */
export async function openTab({ page }: Visitor, name: Tab): Promise<void> {
  await page.getByRole('tab', { name, exact: true }).click();
  await settled(page);
}

/** On the tab with subscriptions: pastes symbols and subscribes to them. */
export async function subscribe({ page }: Visitor, pasted: string): Promise<void> {
  await page.getByLabel('Symbols', { exact: true }).fill(pasted);
  await page.getByRole('button', { name: 'Subscribe', exact: true }).click();
  await page.getByText(/^\d+ subscribed$/).waitFor();
}

/** Sends a test from the screen of an endpoint, and returns the dialog once it was answered. */
export async function sendTest({ page }: Visitor, symbol: string): Promise<Locator> {
  await page.getByRole('button', { name: 'Send a test' }).click();
  const dialog = page.getByRole('dialog', { name: 'Send a test' });
  await dialog.getByLabel('Company').fill(symbol);
  await dialog.getByRole('button', { name: 'Send it' }).click();
  await dialog.getByText(/^(?:delivered|failed)$/).waitFor();
  return dialog;
}

/** The POST of the test whose result a dialog shows; others may have come meanwhile. */
export async function postOf(hook: Hook, dialog: Locator): Promise<Post> {
  const link = dialog.getByRole('link', { name: 'Open the delivery' });
  const address = (await link.getAttribute('href')) ?? '';
  const id = /deliveries\/([^?]+)/.exec(address)?.[1];
  const posts = hook.posts().filter(({ headers }) => headers.get('X-Service-Delivery-Id') === id);
  const [post, ...others] = posts;
  if (post === undefined || others.length > 0) throw new Error(`${posts.length} POSTs of ${id}`);
  return post;
}

/** The reason that stands at a field, as it is read out with it; empty without one. */
export function reasonAt(page: Page, label: string | RegExp): Promise<string> {
  return page.getByLabel(label, { exact: true }).evaluate((field) => {
    const ids = field.getAttribute('aria-describedby')?.split(' ') ?? [];
    return ids.map((id) => document.getElementById(id)?.textContent ?? '').join(' ');
  });
}
