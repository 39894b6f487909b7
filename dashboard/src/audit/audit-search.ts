import { isText, readDate } from '../format/search.ts';
/** The audit log filters, as stored in the URL. */
export interface AuditSearch {
  /** Events of this user or API key only. */
  by?: string;
  /** Prefix of the action. */
  act?: string;
  /** Days in the browser's time zone, both inclusive. */
  from?: string;
  to?: string;
  /** The page after this event. */
  before?: number;
}

/** The filters of the service-wide audit log. */
export interface SystemAuditSearch extends AuditSearch {
  /** Events in this customer's account only. */
  customer?: string;
}

/** Drops invalid filters, so that a mistyped link still opens. */
export function readAuditSearch(search: Record<string, unknown>): AuditSearch {
  const { by, act, from, to, before } = search;
  const isPage = typeof before === 'number' && Number.isSafeInteger(before) && before > 0;
  const dates = { from: readDate(from), to: readDate(to) };
  return {
    ...(isText(by) ? { by } : {}),
    ...(isText(act) && act.length <= 60 ? { act } : {}),
    ...(dates.from === undefined ? {} : { from: dates.from }),
    ...(dates.to === undefined ? {} : { to: dates.to }),
    ...(isPage ? { before } : {}),
  };
}

export function readSystemAuditSearch(search: Record<string, unknown>): SystemAuditSearch {
  const { customer } = search;
  return { ...readAuditSearch(search), ...(isText(customer) ? { customer } : {}) };
}

/** The filters as call parameters. The last day is included in full. */
export function toAuditQuery({ by, act, from, to, before }: AuditSearch) {
  return {
    ...(by === undefined ? {} : { by }),
    ...(act === undefined ? {} : { act }),
    ...(from === undefined ? {} : { from: startOf(from, 0) }),
    ...(to === undefined ? {} : { to: startOf(to, 1) }),
    ...(before === undefined ? {} : { before }),
  };
}

/** The start, in local time, of the day `days` after this one. */
function startOf(day: string, days: number): string {
  const at = new Date(`${day}T00:00:00`);
  at.setDate(at.getDate() + days);
  return at.toISOString();
}
