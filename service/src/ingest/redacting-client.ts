import type { Clock } from '../platform/clock.ts';
import type { HttpClient } from '../platform/http-client.ts';
import type { FetchResult } from '../platform/source-client.ts';
import type { Provider } from '../providers/provider.ts';
import { withSessionToken } from './session-token.ts';

/** Stands in an answer where a key or token stood. */
const HIDDEN = 'REDACTED';
/** A shorter value is no key, and would be found in words and figures. */
const SECRET_LENGTH_MIN = 6;

export interface RedactingDeps {
  clock: Clock;
  providers: readonly Provider[];
  /** A source's key or contact by its name. */
  setting(name: string): string | undefined;
}

/**
 * The same client, whose answers hold no secrets: some sources repeat the key in what they say, and
 * others take it in the URL, so it is taken out of both before anyone sees them. Where a source
 * wants a pass, it is fetched, sent along and renewed on the way.
 */
export function redactingClient(client: HttpClient, deps: RedactingDeps): HttpClient {
  return {
    ...client,
    source(options) {
      const provider = deps.providers.find(({ name }) => name === options.name);
      const source = client.source(options);
      const asked =
        provider?.sessionToken === undefined
          ? source
          : withSessionToken(source, provider.sessionToken, deps.clock);
      const names = (provider?.settings ?? []).filter(({ secret }) => secret);
      const secrets = names.flatMap(({ name }) => deps.setting(name)?.trim() ?? []);
      return { ...asked, fetch: async (request) => hideIn(await asked.fetch(request), secrets) };
    },
  };
}

function hideIn(result: FetchResult, secrets: readonly string[]): FetchResult {
  if (result.kind !== 'response') return result;
  const forms = secrets
    .filter(({ length }) => length >= SECRET_LENGTH_MIN)
    .flatMap((secret) => [secret, encodeURIComponent(secret)]);
  const hide = (value: string): string =>
    forms.reduce((left, form) => left.replaceAll(form, HIDDEN), value);
  const { url, status, contentType, observedAt, text } = result.response;
  const answer = { url: hide(url), status, contentType, observedAt, text: hide(text) };
  return { kind: 'response', response: answer };
}
