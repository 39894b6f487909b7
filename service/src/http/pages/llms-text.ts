import type { Endpoint, Parameter } from '../../endpoints/endpoint.ts';

/** The service in plain words for programs that read text: `/llms.txt`. */
export function renderLlmsText(options: {
  endpoints: readonly Endpoint[];
  publicUrl: string;
  brand: string;
}): string {
  const { endpoints, publicUrl, brand } = options;
  return `# ${brand} earnings data

> Earnings schedules, results and price reactions, calendars, profiles and the U.S. market schedule
> as JSON over HTTP GET.

- Send the key as \`?apikey=\`, \`X-Api-Key\` or \`Authorization: Bearer\`.
- Every documented field is always present; unknown is null.
- Dates are New York calendar days, YYYY-MM-DD; today, yesterday and tomorrow are understood.
- Instants are RFC 3339 UTC. Percent fields are percentage points. Money is in whole units.
- Errors are application/problem+json with a stable \`code\`; each is explained at /errors/CODE.
- Lists are whole. \`limit\` and \`cursor\` page them (\`Link\`, \`X-Total-Count\`), \`format=csv\` makes a table.
- Send \`If-None-Match\` with the last ETag: an unchanged answer is a 304 without a body.

## Endpoints

${endpoints.map((endpoint) => renderEndpoint(endpoint, publicUrl)).join('\n')}

## More

- [OpenAPI 3.1](${publicUrl}/openapi.json)
- [OpenAPI 3.1 of the management interface](${publicUrl}/account/openapi.json): keys, usage, people
- [Documentation](${publicUrl}/docs)
- [Status](${publicUrl}/status)
`;
}

function renderEndpoint(endpoint: Endpoint, publicUrl: string): string {
  const parameters = endpoint.parameters.map(renderParameter).join('');
  return `- GET ${publicUrl}${endpoint.path}: ${endpoint.summary}. ${endpoint.describe}${parameters}`;
}

function renderParameter(parameter: Parameter): string {
  const need = parameter.required ? 'required' : 'optional';
  return `\n  - ${parameter.name} (${parameter.in}, ${parameter.kind}, ${need}): ${parameter.describe}`;
}
