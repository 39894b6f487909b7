/** What acts are about: how they begin, and what people call it. */
interface AuditAbout {
  value: string;
  label: string;
}

const OF_ACCOUNTS: readonly AuditAbout[] = [
  { value: 'session.', label: 'Sign-ins and sessions' },
  { value: 'person.', label: 'People' },
  { value: 'second-factor.', label: 'Second factors' },
  { value: 'recovery-codes.', label: 'Recovery codes' },
  { value: 'key.', label: 'Keys' },
  { value: 'webhook.', label: 'Webhooks' },
  { value: 'delivery.', label: 'Tests and deliveries sent again' },
  { value: 'customer.', label: 'The account and its plan' },
];

const OF_SERVICE: readonly AuditAbout[] = [
  ...OF_ACCOUNTS.slice(0, -1),
  { value: 'customer.', label: 'Customers' },
  { value: 'plan.', label: 'Plans' },
  { value: 'quotas.', label: 'Quotas' },
  { value: 'market-override.', label: 'The market calendar' },
  { value: 'quarantine.', label: 'Quarantine' },
  { value: 'ingest.', label: 'Sources' },
  { value: 'store.', label: 'Backups' },
  { value: 'setup.', label: 'The set-up' },
];

/** The choices of a filter; acts on the service itself never stand in the audit of an account. */
export const ABOUT = { account: OF_ACCOUNTS, service: OF_SERVICE } as const;
