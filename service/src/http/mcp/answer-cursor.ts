/** Position at which an answer continues. */
export interface AnswerCursor {
  /** Number of rows of the response that earlier answers contained. */
  skip: number;
  /** Cursor or position of the read API's page; null for its first page. */
  page: string | null;
  /** Tag of the response that the earlier answer showed; null for the first answer. */
  tag: string | null;
}

const START: AnswerCursor = { skip: 0, page: null, tag: null };

export function writeAnswerCursor({ skip, page, tag }: AnswerCursor): string {
  return Buffer.from([skip, tag ?? '', page ?? ''].join(' ')).toString('base64url');
}

/** Parses a cursor. No cursor is the start. Returns null if it is malformed. */
export function readAnswerCursor(text: string | null): AnswerCursor | null {
  if (text === null) return START;
  const decoded = Buffer.from(text, 'base64url').toString('latin1');
  const [, skip, tag, page] = /^(\d{1,7}) ([\w-]{0,16}) ([\w:.+-]{0,80})$/.exec(decoded) ?? [];
  if (skip === undefined || tag === undefined || page === undefined) return null;
  return { skip: Number(skip), tag: tag === '' ? null : tag, page: page === '' ? null : page };
}
