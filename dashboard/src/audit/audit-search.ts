import { isText, readDate } from '../format/search.ts';
/** The audit log filters, as stored in the URL. */
export interface AuditSearch {
  /** Only events by this user or API key. */
  by?: string;
  /** A prefix of the action name. */
  act?: string;
  /** The first and last day, both inclusive, in the browser's time zone. */
  from?: string;
  to?: string;
  /** The ID of the last event on the previous page. */
  before?: number;
}

/** The filters of the service-wide audit log. */
export interface SystemAuditSearch extends AuditSearch {
  /** Only events in this customer's account. */
  customer?: string;
}

/** Reads the filters from the URL and drops invalid ones, so that a mistyped link still opens. */
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

/** Converts the filters to call parameters. The last day is included in full. */
export function toAuditQuery({ by, act, from, to, before }: AuditSearch) {
  return {
    ...(by === undefined ? {} : { by }),
    ...(act === undefined ? {} : { act }),
    ...(from === undefined ? {} : { from: startOf(from, 0) }),
    ...(to === undefined ? {} : { to: startOf(to, 1) }),
    ...(before === undefined ? {} : { before }),
  };
}

/** Returns the start, in local time, of the day that is `days` after `day`. */
function startOf(day: string, days: number): string {
  const at = new Date(`${day}T00:00:00`);
  at.setDate(at.getDate() + days);
  return at.toISOString();
}
