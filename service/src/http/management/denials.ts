import type { Authorization } from '../../accounts/permissions.ts';
import { problem, type Problem } from '../problems.ts';

/** The problems of calls that the caller may not make. */
export const DENIALS: Readonly<Record<Exclude<Authorization, 'allowed'>, Problem>> = {
  'not-found': problem('not-found', 'The requested object does not exist.'),
  forbidden: problem('forbidden', 'Your role does not allow this call.'),
  'fresh-password-required': problem(
    'fresh-password-required',
    'Confirm your password, then repeat the call.',
  ),
};
