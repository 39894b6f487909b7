import type { ManagementDeps } from './deps.ts';

/**
 * A link that somebody is sent. The token stands behind the `#`, which no browser sends to a
 * server: it ends up in no log and in no `Referer`.
 */
export function linkTo(
  { publicUrl }: Pick<ManagementDeps, 'publicUrl'>,
  page: 'invitation' | 'password-reset' | 'set-up',
  token: string,
): string {
  return `${publicUrl}/dashboard/${page}#${token}`;
}
