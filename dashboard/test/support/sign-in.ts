import type { Stage, Visitor } from './stage.ts';

export interface Credentials {
  email: string;
  password: string;
}

/** Fills in the door and knocks; what comes then is the caller's to look at. */
export async function knock({ page }: Visitor, { email, password }: Credentials): Promise<void> {
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel(/^Password/).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

/** Signs in at the door and waits until it is behind. */
export async function signIn(
  stage: Stage,
  visitor: Visitor,
  credentials: Credentials,
): Promise<void> {
  const { page } = visitor;
  await page.goto(`${stage.service.url}/dashboard/sign-in`);
  await knock(visitor, credentials);
  await page.getByRole('navigation', { name: 'Screens' }).waitFor();
}

/** Leaves by the menu of the person. */
export async function signOut({ page }: Visitor): Promise<void> {
  await page.getByRole('button', { name: /signed in as/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
}
