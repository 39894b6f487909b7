import type { Clock } from '../platform/clock.ts';
import type { HttpClient } from '../platform/http-client.ts';
import type { FetchResult } from '../platform/source-client.ts';
import type { Provider } from '../providers/provider.ts';
import { withSessionToken } from './session-token.ts';

const REDACTED = 'REDACTED';
/** Shorter values are not keys and would match ordinary words and numbers. */
const SECRET_LENGTH_MIN = 6;

export interface RedactingDeps {
  clock: Clock;
  providers: readonly Provider[];
  /** Returns the value of a source's setting, such as its API key. */
  setting(name: string): string | undefined;
}

/**
 * Returns an HTTP client whose responses contain no secrets. Some sources repeat the key in the
 * body, and others require it in the URL, so it is redacted in both. The client adds the session
 * token if a source needs one.
 */
export function redactingClient(client: HttpClient, deps: RedactingDeps): HttpClient {
  return {
    close: () => client.close(),
    source(options) {
      const provider = deps.providers.find(({ name }) => name === options.name);
      const plain = client.source(options);
      const config = provider?.sessionToken;
      const source = config === undefined ? plain : withSessionToken(plain, config, deps);
      const names = (provider?.settings ?? []).filter(({ secret }) => secret);
      const secrets = names.flatMap(({ name }) => deps.setting(name)?.trim() ?? []);
      return {
        fetch: async (request) => redact(await source.fetch(request), secrets),
        cooldown: () => source.cooldown(),
        clockAheadMs: () => source.clockAheadMs?.() ?? null,
        hostCooldowns: () => source.hostCooldowns?.() ?? new Map(),
        budgetWaitMs: (use) => source.budgetWaitMs?.(use) ?? 0,
        ...(source.refused && { refused: source.refused.bind(source) }),
      };
    },
  };
}

function redact(result: FetchResult, secrets: readonly string[]): FetchResult {
  if (result.kind !== 'response') return result;
  const forms = secrets
    .filter(({ length }) => length >= SECRET_LENGTH_MIN)
    .flatMap((secret) => [secret, encodeURIComponent(secret)]);
  const clean = (value: string): string =>
    forms.reduce((text, form) => text.replaceAll(form, REDACTED), value);
  const { url, status, contentType, observedAt, text } = result.response;
  const response = { url: clean(url), status, contentType, observedAt, text: clean(text) };
  return { kind: 'response', response };
}
