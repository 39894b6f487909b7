import type { Endpoint, Parameter } from '../../endpoints/endpoint.ts';
import type { Guide } from '../guides/load-guides.ts';
import { type ProblemCode, PROBLEMS } from '../problems.ts';
import { parametersOf } from '../request/endpoint-parameters.ts';
import { sampleUrl, type SampleTarget } from './sample-url.ts';

export interface LlmsOptions extends SampleTarget {
  endpoints: readonly Endpoint[];
  guides: readonly Guide[];
  brand: string;
  /** Brand as it appears in webhook header names. */
  headerBrand: string;
}

/** Renders `/llms.txt`, which describes the service in plain text for language models. */
export function renderLlmsText(options: LlmsOptions): string {
  const { endpoints, guides, publicUrl, brand, headerBrand } = options;
  return `# ${brand} earnings data

> Earnings schedules, results and price reactions, economic releases, IPOs, dividends, company
> profiles and the U.S. market schedule, as JSON over HTTP GET, and as signed webhooks.

Base URL: ${publicUrl}

${renderConventions()}

## Errors

Every error is application/problem+json with the members \`type\`, \`title\`, \`status\`, \`code\`, \`detail\` and
\`instance\`, and more for some codes. Decide by \`code\`. ${publicUrl}/errors/CODE explains each one:

${Object.keys(PROBLEMS)
  .map((code) => renderError(code as ProblemCode))
  .join('\n')}

Retry after 429, 500 and 503 (see \`Retry-After\`). Never retry another 4xx unchanged.

## Endpoints

${endpoints.map((endpoint) => renderEndpoint(endpoint, options)).join('\n\n')}

## Webhooks

${renderWebhooks(headerBrand)}

## Guides as Markdown

${guides.map((guide) => renderGuideLink(guide, publicUrl)).join('\n')}

## More

- [OpenAPI 3.1 document of the read API](${publicUrl}/openapi.json)
- [OpenAPI 3.1 document of the management API](${publicUrl}/account/openapi.json): keys, usage, webhooks, people
- MCP server for agents: POST ${publicUrl}/mcp (streamable HTTP) with the API key in a header
- [Status](${publicUrl}/status): freshness of each data set, as JSON unless HTML is preferred
`;
}

function renderConventions(): string {
  return `## Requests

- Send an API key as \`X-Api-Key\`, \`Authorization: Bearer\` or \`?apikey=\`. Headers keep the key out of logs.
- Every read is a GET below /v1. A parameter that an endpoint does not list is ignored and named in the
  X-Ignored-Parameters header. An invalid value is rejected.
- A 200 has every documented field; unknown values are null. Fields may be added: ignore unknown ones.
- A valid request without data returns 200 with empty lists. An unknown symbol returns 404.
- Dates are New York calendar days, YYYY-MM-DD. today, yesterday and tomorrow are accepted too.
- Instants are RFC 3339 in UTC. Percent fields are percentage points. Money is in whole units.
- X-Data-Source is synthetic (made up), recorded or live. X-Data-As-Of is the newest observation used.
- Send \`If-None-Match\` with the last ETag: unchanged data returns 304 without a body, at a lower
  cost. \`If-Modified-Since\` with the last \`Last-Modified\` works too.

## Pagination and CSV

- limit, cursor: lists are complete unless you paginate. Send \`limit=100\` (at most 1000), then follow the
  \`Link\` header with rel="next" until there is none. \`X-Total-Count\` is the number of rows.
- format: \`format=csv\` (or \`Accept: text/csv\`) returns CSV. Absent values are empty cells.
- Each endpoint below lists which of these it accepts.

## Limits

- A plan limits requests per 60 seconds, and may limit them per New York day and month.
- \`RateLimit: "minute";r=41;t=33\` on every response: 41 requests remain, and more within 33 seconds.
- On a 429, wait for \`Retry-After\` seconds; the next request then succeeds. A 429 costs nothing. A 304
  or 400 counts against the minute only.
- One request for a range (\`from\`, \`to\`) or for many \`symbols\` costs as much as one for a single day.`;
}

/** Explains what a webhook receiver needs to know at a minimum. The guide has the details. */
function renderWebhooks(headerBrand: string): string {
  return `1. Create an endpoint: \`POST /account/v1/webhooks\` with \`{"url":"https://…"}\` and a key with the
   \`manage\` scope. The response contains its \`secret\`, \`whsec_…\`.
2. Subscribe it: \`POST /account/v1/webhooks/{endpointId}/subscriptions\` with
   \`{"templateId":"earnings_schedule","symbols":"AAPL, MSFT"}\`. Without subscriptions nothing is sent.
3. Each change is a POST of JSON with \`id\`, \`created_at\`, \`template_id\`, \`event_type\`, \`context.symbol\`,
   \`data\` (the complete state; unknown values are null) and \`changed_fields\`.
4. Headers: X-${headerBrand}-Delivery-Id, X-${headerBrand}-Timestamp, X-${headerBrand}-Signature.
5. Signature: \`sha256=\` and the hexadecimal HMAC-SHA256 of the timestamp directly followed by the raw
   body, without a separator, keyed with the secret as displayed. Compare in constant time. Respond
   with 401 on a mismatch.
6. Reject timestamps more than five minutes away.
7. Deduplicate by delivery id: an id never comes with different data.
8. Respond with 2xx within 15 seconds, once the data is stored. Anything else is retried, for about
   76 hours.
9. Each endpoint gets one POST per company at a time, and never older data after newer data.
10. To recover missed deliveries: \`POST /account/v1/webhooks/{endpointId}/recover\` with \`{"since":"…"}\`.`;
}

function renderGuideLink({ name, title, summary }: Guide, publicUrl: string): string {
  return `- [${title}](${publicUrl}/guides/${name}.md): ${summary}`;
}

function renderError(code: ProblemCode): string {
  const { status, title } = PROBLEMS[code];
  return `- ${status} \`${code}\`: ${title}`;
}

/** Describes an endpoint in Markdown: parameters, a sample request and a sample row. */
export function renderEndpoint(endpoint: Endpoint, target: SampleTarget): string {
  const { path, summary, describe } = endpoint;
  const parameters = [
    ...endpoint.parameters.map(renderParameter),
    ...renderSharedParameters(endpoint),
  ];
  return `### GET ${target.publicUrl}${path}

${summary}. ${describe}

${parameters.length === 0 ? 'No parameters.' : parameters.join('\n')}

Sample: GET ${sampleUrl(endpoint, target)}

\`\`\`
${renderSample(endpoint.example)}
\`\`\``;
}

function renderParameter(parameter: Parameter): string {
  const requirement = parameter.required ? 'required' : 'optional';
  return `- ${parameter.name} (${parameter.in}, ${typeOf(parameter)}, ${requirement}): ${parameter.describe}`;
}

/**
 * Lists the endpoint's parameters that are shared by many endpoints. The section "Pagination and
 * CSV" explains them once.
 */
function renderSharedParameters(endpoint: Endpoint): string[] {
  const specific = new Set(endpoint.parameters.map(({ name }) => name));
  const shared = parametersOf(endpoint).filter(
    (parameter) =>
      !specific.has(parameter.name) && (parameter.kind !== 'enum' || parameter.values.length > 1),
  );
  const names = shared.map(({ name }) => name);
  return names.length === 0 ? [] : [`- as explained above: ${names.join(', ')}`];
}

/** Describes the accepted values in plain English. */
function typeOf(parameter: Parameter): string {
  switch (parameter.kind) {
    case 'enum':
      return `${parameter.values.join(' or ')}${withDefault(parameter.default)}`;
    case 'integer':
      return `integer from ${parameter.min} to ${parameter.max}${withDefault(parameter.default)}`;
    case 'boolean':
      return `true or false${withDefault(parameter.default)}`;
    case 'symbols':
      return `comma-separated symbols, at most ${parameter.max}, or @name for a watchlist`;
    case 'decimal':
      return `number of at least ${parameter.min}`;
    case 'instant':
      return 'instant or day';
    case 'text':
      return `text of up to ${parameter.lengthMax} characters`;
    case 'date':
    case 'symbol':
    case 'id':
      return parameter.kind;
  }
}

function withDefault(value: string | number | boolean | null | undefined): string {
  return value === null || value === undefined ? '' : `, default ${value}`;
}

/**
 * Renders an example with each list shortened to its first row, which is enough to show the
 * structure.
 */
function renderSample(example: unknown): string {
  if (typeof example === 'string') return example.trimEnd();
  return JSON.stringify(example, firstRowOnly);
}

function firstRowOnly(_key: string, value: unknown): unknown {
  return Array.isArray(value) && typeof value[0] === 'object' ? value.slice(0, 1) : value;
}
