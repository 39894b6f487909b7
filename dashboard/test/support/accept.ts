import type { Visitor } from './stage.ts';

/** Opens a link that was handed over, chooses a password and comes in. */
export async function accept({ page }: Visitor, link: string, password: string): Promise<void> {
  await page.goto(link);
  await page.getByRole('heading', { name: 'You are invited' }).waitFor();
  await page.getByLabel(/^Password/).fill(password);
  await page.getByRole('button', { name: 'Join' }).click();
  await page.getByRole('navigation', { name: 'Screens' }).waitFor();
}
