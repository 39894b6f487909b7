import type { PlanContext, ProviderSetting } from '../provider.ts';

const CONTACT_FIX =
  'set SEC_CONTACT to your name and e-mail address, such as "Jane Doe jane@example.org"; ' +
  'EDGAR and BLS block clients that do not identify themselves';
const CONTACT = /^[\x20-\x7e]*[^\s@]+@[^\s@]+\.[^\s@]+[\x20-\x7e]*$/;

/** The operator's contact. All government sources share it. */
export const CONTACT_SETTING: ProviderSetting = {
  name: 'SEC_CONTACT',
  required: true,
  secret: false,
  describe:
    'Name and e-mail address of the operator, sent with every request to EDGAR and to the agencies.',
  fix: CONTACT_FIX,
  accepts: isContact,
};

/** Returns the operator's contact. Throws a `RangeError` with the fix if it has no e-mail address. */
export function requireContact(context: Pick<PlanContext, 'setting'>): string {
  const contact = context.setting(CONTACT_SETTING.name)?.trim() ?? '';
  if (!isContact(contact)) throw new RangeError(CONTACT_FIX);
  return contact;
}

function isContact(text: string): boolean {
  return CONTACT.test(text.trim());
}
