import { useSession } from './session.ts';

/** Returns true for owners and operators, who can manage members and read the audit log. */
export function useIsOwner(): boolean {
  return useSession().role !== 'member';
}
