import type { Visitor } from './stage.ts';

/** Creates an API key with the form and returns the key. */
export async function createKey(
  { page }: Visitor,
  input: { name: string; may?: 'read' | 'manage'; from?: string; ends?: string },
): Promise<string> {
  const { name, may = 'read', from = '', ends } = input;
  await page.getByRole('button', { name: 'New key' }).click();
  const form = page.getByRole('dialog', { name: 'New API key' });
  await form.getByRole('textbox', { name: 'Name' }).fill(name);
  if (may === 'manage') {
    await form.getByRole('checkbox', { name: 'Read data' }).uncheck();
    await form.getByRole('checkbox', { name: 'Manage account' }).check();
  }
  await form.getByRole('textbox', { name: 'Allowed IP addresses' }).fill(from);
  if (ends !== undefined) {
    await form.getByRole('combobox', { name: 'Expires' }).click();
    await page.getByRole('option', { name: ends }).click();
  }
  await form.getByRole('button', { name: 'Create key' }).click();
  const key = await page.getByLabel('API key', { exact: true }).innerText();
  await page.getByRole('button', { name: 'Done' }).click();
  return key;
}
