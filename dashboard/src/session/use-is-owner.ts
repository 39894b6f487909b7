import { useSession } from './session.ts';

/** Whether who is signed in may change people and read the audit: owners and operators may. */
export function useIsOwner(): boolean {
  return useSession().role !== 'member';
}
