/** What the audit is asked, as it stands in the address. */
export interface AuditSearch {
  /** What this person or key did. */
  by?: string;
  /** How acts begin. */
  act?: string;
  /** Days as the browser counts them, both included. */
  from?: string;
  to?: string;
  /** The page behind this event. */
  before?: number;
}

/** The same of the whole service. */
export interface SystemAuditSearch extends AuditSearch {
  /** Acts in this customer's account alone. */
  customer?: string;
}

/** Drops what is no such filter, so that a mistyped link still opens. */
export function readAuditSearch(search: Record<string, unknown>): AuditSearch {
  const { by, act, from, to, before } = search;
  const isPage = typeof before === 'number' && Number.isSafeInteger(before) && before > 0;
  return {
    ...(isText(by) ? { by } : {}),
    ...(isText(act) && act.length <= 60 ? { act } : {}),
    ...(isDay(from) ? { from } : {}),
    ...(isDay(to) ? { to } : {}),
    ...(isPage ? { before } : {}),
  };
}

/** The same for the whole service. */
export function readSystemAuditSearch(search: Record<string, unknown>): SystemAuditSearch {
  const { customer } = search;
  return { ...readAuditSearch(search), ...(isText(customer) ? { customer } : {}) };
}

/** The same as the call asks it; the last day counts to its end. */
export function toAuditQuery({ by, act, from, to, before }: AuditSearch) {
  return {
    ...(by === undefined ? {} : { by }),
    ...(act === undefined ? {} : { act }),
    ...(from === undefined ? {} : { from: startOf(from, 0) }),
    ...(to === undefined ? {} : { to: startOf(to, 1) }),
    ...(before === undefined ? {} : { before }),
  };
}

/** The beginning, here, of the day so many days behind this one. */
function startOf(day: string, days: number): string {
  const at = new Date(`${day}T00:00:00`);
  at.setDate(at.getDate() + days);
  return at.toISOString();
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= 100;
}

function isDay(value: unknown): value is string {
  return isText(value) && /^\d{4}-\d\d-\d\d$/.test(value) && !Number.isNaN(Date.parse(value));
}
