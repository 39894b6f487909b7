import type { Stage, Visitor } from './stage.ts';

export interface Credentials {
  email: string;
  password: string;
}

/** Submits the sign-in form without waiting for the result. */
export async function submitSignIn(
  { page }: Visitor,
  { email, password }: Credentials,
): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel(/^Password/).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

/** Signs in and waits until the app is shown. */
export async function signIn(
  stage: Stage,
  visitor: Visitor,
  credentials: Credentials,
): Promise<void> {
  const { page } = visitor;
  await page.goto(`${stage.service.url}/dashboard/sign-in`);
  await submitSignIn(visitor, credentials);
  await page.getByRole('navigation', { name: 'Main' }).waitFor();
}

/** Signs out through the user menu. */
export async function signOut({ page }: Visitor): Promise<void> {
  await page.getByRole('button', { name: /signed in as/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
}
