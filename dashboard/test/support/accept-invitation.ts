import type { Visitor } from './stage.ts';

/** Opens an invitation link and sets a password. */
export async function acceptInvitation(
  { page }: Visitor,
  link: string,
  password: string,
): Promise<void> {
  await page.goto(link);
  await page.getByRole('heading', { name: 'Accept invitation' }).waitFor();
  await page.getByLabel(/^Password/).fill(password);
  await page.getByRole('button', { name: 'Join' }).click();
  await page.getByRole('navigation', { name: 'Main' }).waitFor();
}
