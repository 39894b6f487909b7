import { CALLS } from '../../src/api/calls.gen.ts';
import { callUrl, type ResponseData, type CallName, type Input } from '../../src/api/call.ts';
import type { Visitor } from './stage.ts';

/**
 * Calls the management API with a visitor's session. Throws an error with the response if the call
 * fails.
 */
export async function callAs<N extends CallName>(
  visitor: Visitor,
  origin: string,
  name: N,
  input: Input<N>,
  customerId: string | null = null,
): Promise<ResponseData<N>> {
  const { body } = input as { body?: object };
  const response = await visitor.context.request.fetch(
    `${origin}${callUrl(name, input, customerId)}`,
    {
      method: CALLS[name].method,
      headers: {
        Origin: origin,
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      },
      ...(body === undefined ? {} : { data: body }),
    },
  );
  const text = await response.text();
  if (!response.ok()) throw new Error(`${name}: ${response.status()} ${text}`);
  return (text === '' ? null : JSON.parse(text)) as ResponseData<N>;
}
