import { type SourceResponse, SourceResponseError } from '../provider.ts';
import { isJsonObject, isList, type JsonObject, requireJson } from '../kit/json.ts';

const UNKNOWN_SYMBOL_CODE = 1001;

/**
 * Returns the `data` in the API's envelope, or a bare list of rows, which some recorders store.
 * Errors may have HTTP 200, so `status.rCode` and `data` are checked: an unknown symbol throws
 * `not-found`, any other error `error-answer`.
 */
export function openEnvelope(response: SourceResponse): JsonObject | unknown[] {
  const body = requireJson(response);
  if (isList(body)) return body;
  if (!isJsonObject(body) || !('data' in body || 'status' in body)) {
    throw new SourceResponseError(
      'error-answer',
      'unexpected-shape',
      'neither an envelope nor a list',
    );
  }
  const status = isJsonObject(body['status']) ? body['status'] : {};
  const messages = messagesOf(body, status);
  if (messages.some(isUnknownSymbol)) {
    throw new SourceResponseError('not-found', 'unknown-symbol', describe(messages));
  }
  const code = status['rCode'];
  if (code !== undefined && code !== 200) {
    throw new SourceResponseError('error-answer', 'provider-error', describe(messages));
  }
  const data = body['data'];
  if (!isJsonObject(data)) {
    throw new SourceResponseError('error-answer', 'no-data', describe(messages));
  }
  return data;
}

/**
 * Returns the rows in `holder.rows`. Null or absent rows mean an empty day. Any other value that is
 * not a list is an error.
 */
export function rowsOf(holder: JsonObject): unknown[] {
  const rows = holder['rows'] ?? [];
  if (isList(rows)) return rows;
  throw new SourceResponseError('error-answer', 'unexpected-shape', `rows is a ${typeof rows}`);
}

interface Message {
  code: unknown;
  text: string;
}

function messagesOf(body: JsonObject, status: JsonObject): Message[] {
  const entries = Array.isArray(status['bCodeMessage']) ? status['bCodeMessage'] : [];
  const messages = entries.filter(isJsonObject).map((message) => ({
    code: message['code'],
    text: textOf(message['errorMessage']),
  }));
  const bodyMessage = textOf(body['message']);
  return bodyMessage === '' ? messages : [...messages, { code: null, text: bodyMessage }];
}

function isUnknownSymbol(message: Message): boolean {
  return message.code === UNKNOWN_SYMBOL_CODE || /symbol not exist/i.test(message.text);
}

function describe(messages: readonly Message[]): string {
  return (
    messages
      .map((message) => message.text)
      .join('; ')
      .slice(0, 200) || 'no message'
  );
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
