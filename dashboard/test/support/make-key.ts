import type { Visitor } from './stage.ts';

/** Makes a key by the form of the keys screen and returns it, as it is shown this once. */
export async function makeKey(
  { page }: Visitor,
  given: { name: string; may?: 'read' | 'manage'; from?: string; ends?: string },
): Promise<string> {
  const { name, may = 'read', from = '', ends } = given;
  await page.getByRole('button', { name: 'New key' }).click();
  const form = page.getByRole('dialog', { name: 'New key' });
  await form.getByRole('textbox', { name: 'Name' }).fill(name);
  if (may === 'manage') {
    await form.getByRole('checkbox', { name: 'Read the data' }).uncheck();
    await form.getByRole('checkbox', { name: 'Manage the account' }).check();
  }
  await form.getByRole('textbox', { name: 'Only from these addresses' }).fill(from);
  if (ends !== undefined) {
    await form.getByRole('combobox', { name: 'Ends' }).click();
    await page.getByRole('option', { name: ends }).click();
  }
  await form.getByRole('button', { name: 'Make the key' }).click();
  const key = await page.getByLabel('the key', { exact: true }).innerText();
  await page.getByRole('button', { name: 'I have it' }).click();
  return key;
}
