import type { Endpoint, Parameter } from '../../endpoints/endpoint.ts';
import type { Guide } from '../guides/load-guides.ts';
import { type ProblemCode, PROBLEMS } from '../problems.ts';
import { parametersOf } from '../request/endpoint-parameters.ts';
import { sampleUrl } from './sample-url.ts';

export interface LlmsOptions {
  endpoints: readonly Endpoint[];
  guides: readonly Guide[];
  publicUrl: string;
  brand: string;
  /** What stands in the header names of webhooks. */
  headerBrand: string;
}

/** The service in plain words for programs that read text: `/llms.txt`. */
export function renderLlmsText(options: LlmsOptions): string {
  const { endpoints, guides, publicUrl, brand } = options;
  return `# ${brand} earnings data

> Earnings schedules, results and price reactions, economic releases, IPOs, dividends, company
> profiles and the U.S. market schedule, as JSON over HTTP GET, and as signed webhooks.

Base address: ${publicUrl}

## Asking

- Send an API key as \`X-Api-Key\`, \`Authorization: Bearer\` or \`?apikey=\`. Headers stay out of logs.
- Every read is a GET below /v1. A parameter that an endpoint does not list is ignored and named in the
  header X-Ignored-Parameters; a wrong value is refused.
- A 200 has every documented field; unknown is null. Fields may be added: ignore those you do not know.
- A valid question that has no data is a 200 with empty lists. A symbol that nobody has is a 404.
- Dates are New York calendar days, YYYY-MM-DD; today, yesterday and tomorrow are understood.
- Instants are RFC 3339 in UTC. Percent fields are percentage points. Money is in whole units.
- X-Data-Source says synthetic (made up), recorded or live. X-Data-As-Of is the newest observation in it.
- Send \`If-None-Match\` with the last ETag: an unchanged answer is a 304 without a body, and costs less.

## Pages and tables

- limit, cursor: lists are whole unless you page them. Ask with \`limit=100\` (at most 1000), then follow
  the header \`Link\` with rel="next" until there is none. \`X-Total-Count\` tells how many rows there are.
- format: \`format=csv\` (or \`Accept: text/csv\`) makes a table; absent values are empty cells.
- Each endpoint below says which of these it takes.

## Limits

- A plan allows so many requests in any 60 seconds, and may allow so many a New York day and month.
- \`RateLimit: "minute";r=41;t=33\` on every answer: 41 remain, more in 33 seconds at the latest.
- 429 means wait for \`Retry-After\` seconds; the next request then passes. A 429 costs
  nothing; 304 and 400 count against the minute alone.
- One request for a range (\`from\`, \`to\`) or for many \`symbols\` costs as much as one for a day.

## Errors

application/problem+json: \`{"type","title","status","code","detail","instance"}\` and members of the case.
Decide by \`code\`; ${publicUrl}/errors/CODE explains each:

${Object.keys(PROBLEMS)
  .map((code) => renderError(code as ProblemCode))
  .join('\n')}

Try again after 429, 500 and 503 (\`Retry-After\`), never after another 4xx without a change.

## Endpoints

${endpoints.map((endpoint) => renderEndpoint(endpoint, publicUrl)).join('\n\n')}

## Webhooks

${renderWebhooks(options.headerBrand)}

## Guides, as Markdown

${guides.map((guide) => renderGuideLink(guide, publicUrl)).join('\n')}

## More

- [OpenAPI 3.1](${publicUrl}/openapi.json)
- [OpenAPI 3.1 of the management interface](${publicUrl}/account/openapi.json): keys, usage, webhooks, people
- [Status](${publicUrl}/status): how fresh each data set is, as JSON unless a page is asked for
`;
}

/** What a receiver must know, in ten lines; the guide has the rest. */
function renderWebhooks(brand: string): string {
  return `1. Make an endpoint: \`POST /account/v1/webhooks\` with \`{"url":"https://…"}\` and a key of the scope
   \`manage\`. The answer holds its \`secret\`, \`whsec_…\`.
2. Subscribe it: \`POST /account/v1/webhooks/{endpointId}/subscriptions\` with
   \`{"templateId":"earnings_schedule","symbols":"AAPL, MSFT"}\`. Without subscriptions nothing is sent.
3. A change is a POST of JSON with \`id\`, \`created_at\`, \`template_id\`, \`event_type\`, \`context.symbol\`,
   \`data\` (the whole state, unknown is null) and \`changed_fields\`.
4. Headers X-${brand}-Delivery-Id, X-${brand}-Timestamp, X-${brand}-Signature.
5. Signature: \`sha256=\` and the hexadecimal HMAC-SHA256 of timestamp directly followed by the raw body,
   no dot between, keyed with the secret as displayed. Compare in constant time; 401 when it differs.
6. Refuse timestamps more than five minutes away.
7. Drop repetitions by the delivery id: one id never comes with other data.
8. Answer 2xx within 15 seconds, once the data are safe. Anything else is sent again, for about 76 hours.
9. For one company and endpoint one POST is under way at a time, never older data after newer.
10. Missed some? \`POST /account/v1/webhooks/{endpointId}/recover\` with \`{"since":"…"}\`.`;
}

function renderGuideLink({ name, title, summary }: Guide, publicUrl: string): string {
  return `- [${title}](${publicUrl}/guides/${name}.md): ${summary}`;
}

function renderError(code: ProblemCode): string {
  const { status, title } = PROBLEMS[code];
  return `- ${status} \`${code}\`: ${title}`;
}

function renderEndpoint(endpoint: Endpoint, publicUrl: string): string {
  const { path, summary, describe } = endpoint;
  const parameters = [...endpoint.parameters.map(renderParameter), ...renderCommon(endpoint)];
  return `### GET ${publicUrl}${path}

${summary}. ${describe}

${parameters.length === 0 ? 'No parameters.' : parameters.join('\n')}

Sample: GET ${sampleUrl(endpoint, publicUrl)}

\`\`\`
${renderSample(endpoint.example)}
\`\`\``;
}

function renderParameter(parameter: Parameter): string {
  const need = parameter.required ? 'required' : 'optional';
  return `- ${parameter.name} (${parameter.in}, ${formOf(parameter)}, ${need}): ${parameter.describe}`;
}

/** Those that many endpoints take are explained once, further up. */
function renderCommon(endpoint: Endpoint): string[] {
  const own = new Set(endpoint.parameters.map(({ name }) => name));
  const common = parametersOf(endpoint).filter(({ name }) => !own.has(name));
  const names = common.filter((it) => it.kind !== 'enum' || it.values.length > 1);
  return names.length === 0
    ? []
    : [`- as explained above: ${names.map(({ name }) => name).join(', ')}`];
}

/** What may stand in it, as one would say it. */
function formOf(parameter: Parameter): string {
  switch (parameter.kind) {
    case 'enum':
      return `${parameter.values.join(' or ')}${ifLeftOut(parameter.default)}`;
    case 'integer':
      return `whole number ${parameter.min} to ${parameter.max}${ifLeftOut(parameter.default)}`;
    case 'boolean':
      return `true or false${ifLeftOut(parameter.default)}`;
    case 'symbols':
      return `symbols with commas, at most ${parameter.max}`;
    case 'decimal':
      return `number of at least ${parameter.min}`;
    case 'date':
    case 'symbol':
    case 'instant':
    case 'id':
      return parameter.kind;
  }
}

function ifLeftOut(fallback: string | number | boolean | null | undefined): string {
  return fallback === null || fallback === undefined ? '' : `, ${fallback} when left out`;
}

/** Of long lists the first row is enough to see their form. */
function renderSample(example: unknown): string {
  if (typeof example === 'string') return example.trimEnd();
  return JSON.stringify(example, firstOfList);
}

function firstOfList(_key: string, value: unknown): unknown {
  return Array.isArray(value) && typeof value[0] === 'object' ? value.slice(0, 1) : value;
}
