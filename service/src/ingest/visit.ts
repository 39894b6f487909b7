import type { FetchResult, SourceClient, SourceRequest } from '../platform/source-client.ts';
import { elementsOfTag, parseMarkup } from '../providers/kit/html.ts';

const REDIRECTS_MAX = 5;

/** One visitor of a source, who keeps its cookies across requests and redirects, as a browser does. */
export class Visit {
  readonly #source: SourceClient;
  readonly #shared: Omit<SourceRequest, 'url'>;
  readonly #cookies = new Map<string, string>();

  constructor(source: SourceClient, shared: Omit<SourceRequest, 'url'>) {
    this.#source = source;
    this.#shared = shared;
  }

  /** Returns the cookies as the value of a `Cookie` header; empty if there are none. */
  cookie(): string {
    return [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  /** Fetches a page and follows its redirects to hosts of the source. */
  async open(url: string): Promise<FetchResult> {
    let result = await this.#send(url);
    for (let hops = 0; hops < REDIRECTS_MAX && result.kind === 'response'; hops++) {
      const { location, url: from } = result.response;
      if (location === undefined || !URL.canParse(location, from)) break;
      const next = await this.#send(new URL(location, from).href).catch(ignoreForeignHost);
      if (next === null) break;
      result = next;
    }
    return result;
  }

  /** Submits the hidden fields of a form on the page, and the given ones, to the page's address. */
  async submit(
    page: { url: string; text: string },
    added: readonly [string, string][],
  ): Promise<FetchResult> {
    const fields = [...hiddenFields(page.text), ...added];
    const body = new URLSearchParams(fields).toString();
    const result = await this.#send(page.url, body);
    const location = result.kind === 'response' ? result.response.location : undefined;
    return location === undefined ? result : this.open(new URL(location, page.url).href);
  }

  async #send(url: string, body?: string): Promise<FetchResult> {
    const headers: Record<string, string> = { ...this.#shared.headers };
    const cookie = this.cookie();
    if (cookie !== '') headers['cookie'] = cookie;
    if (body !== undefined) headers['content-type'] = 'application/x-www-form-urlencoded';
    const form = body === undefined ? {} : { method: 'POST' as const, body };
    const request = { ...this.#shared, ...form, url, headers, redirect: 'manual' as const };
    const result = await this.#source.fetch(request);
    for (const line of result.kind === 'response' ? (result.response.cookies ?? []) : []) {
      const [name = '', ...value] = line.split('=');
      this.#cookies.set(name, value.join('='));
    }
    return result;
  }
}

function hiddenFields(text: string): [string, string][] {
  return elementsOfTag(parseMarkup(text, 'html'), 'input').flatMap(({ attribs }) => {
    const { type, name, value = '' } = attribs;
    return type === 'hidden' && name !== undefined ? [[name, value] as [string, string]] : [];
  });
}

/** A redirect to a host that is not the source's ends the visit. */
function ignoreForeignHost(error: unknown): null {
  if (error instanceof RangeError) return null;
  throw error;
}
