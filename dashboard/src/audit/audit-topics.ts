/** A group of actions, with their common prefix and a label. */
interface AuditTopic {
  value: string;
  label: string;
}

const ACCOUNT_TOPICS: readonly AuditTopic[] = [
  { value: 'session.', label: 'Sign-ins and sessions' },
  { value: 'person.', label: 'Members' },
  { value: 'second-factor.', label: 'Two-factor authentication' },
  { value: 'recovery-codes.', label: 'Recovery codes' },
  { value: 'key.', label: 'API keys' },
  { value: 'watchlist.', label: 'Watchlists' },
  { value: 'webhook.', label: 'Webhooks' },
  { value: 'delivery.', label: 'Deliveries' },
  { value: 'sandbox.', label: 'Sandbox' },
  { value: 'customer.', label: 'Account and plan' },
];

const SERVICE_TOPICS: readonly AuditTopic[] = [
  ...ACCOUNT_TOPICS.slice(0, -1),
  { value: 'customer.', label: 'Customers' },
  { value: 'plan.', label: 'Plans' },
  { value: 'quotas.', label: 'Quotas' },
  { value: 'market-override.', label: 'Market calendar' },
  { value: 'quarantine.', label: 'Quarantine' },
  { value: 'ingest.', label: 'Sources' },
  { value: 'store.', label: 'Backups' },
  { value: 'setup.', label: 'Setup' },
];

/** The topics to filter by. Service-level actions never appear in an account's audit log. */
export const AUDIT_TOPICS = { account: ACCOUNT_TOPICS, service: SERVICE_TOPICS } as const;
