import type { Visitor } from './stage.ts';

/** Makes a link for somebody on a screen with people, and takes it away as its button copies it. */
export async function invite(
  visitor: Visitor,
  { email, role }: { email: string; role: 'Owner' | 'Member' },
): Promise<string> {
  const { page, context } = visitor;
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByRole('button', { name: 'Invite', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Invite somebody' });
  await dialog.getByLabel('E-mail').fill(email);
  await dialog.getByRole('combobox', { name: 'Role' }).click();
  await page.getByRole('option', { name: new RegExp(`^${role}`) }).click();
  await dialog.getByRole('button', { name: 'Make the link' }).click();
  await page.getByRole('button', { name: 'Copy the link' }).click();
  await page.getByRole('button', { name: 'the link copied' }).waitFor();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  await page.getByRole('button', { name: 'I have it' }).click();
  return link;
}

/** Opens a link that was handed over, chooses a password and comes in. */
export async function accept({ page }: Visitor, link: string, password: string): Promise<void> {
  await page.goto(link);
  await page.getByRole('heading', { name: 'You are invited' }).waitFor();
  await page.getByLabel(/^Password/).fill(password);
  await page.getByRole('button', { name: 'Join' }).click();
  await page.getByRole('navigation', { name: 'Screens' }).waitFor();
}
