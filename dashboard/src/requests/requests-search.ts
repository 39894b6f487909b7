import { isText } from '../format/search.ts';
/** The request log filters, as stored in the URL. */
export interface RequestsSearch {
  keyId?: string;
  /** A path prefix. */
  path?: string;
  /** A status such as `404`, or a status class such as `4xx`. */
  status?: string;
  requestId?: string;
  /** The position of the last request on the previous page. */
  before?: number;
}

const STATUS = /^[1-5](\d\d|xx)$/;

export function readRequestsSearch(search: Record<string, unknown>): RequestsSearch {
  const { keyId, path, status, requestId, before } = search;
  const code = typeof status === 'number' ? String(status) : status;
  return {
    ...(isText(keyId) ? { keyId } : {}),
    ...(isText(path) ? { path } : {}),
    ...(isText(code) && STATUS.test(code) ? { status: code } : {}),
    ...(isText(requestId) ? { requestId } : {}),
    ...(typeof before === 'number' && Number.isSafeInteger(before) && before > 0 ? { before } : {}),
  };
}

/** Changes a filter and returns to the first page. Empty filters are removed. */
export function withFilter(
  { before: _before, ...search }: RequestsSearch,
  filter: { [N in 'keyId' | 'path' | 'status' | 'requestId']?: string | null },
): RequestsSearch {
  return readRequestsSearch({ ...search, ...filter });
}
