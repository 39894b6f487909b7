import type { Endpoint, Parameter } from '../../endpoints/endpoint.ts';
import { offeredParameters, signatureOf } from './tool-arguments.ts';

/** A tool that reads data: all endpoints with one tag. */
export interface ReadTool {
  name: string;
  title: string;
  description: string;
  inputSchema: ToolInput;
  endpoints: readonly Endpoint[];
}

export interface ToolInput {
  type: 'object';
  properties: Record<string, JsonSchema>;
  required: string[];
  /** Tools are passed to the SDK, whose type has an index signature. */
  [keyword: string]: unknown;
}

type JsonSchema = Record<string, boolean | number | string | string[]>;

/**
 * Groups the endpoints into one tool for each tag, so that a new endpoint appears behind a tool
 * without any other change. One tool per endpoint would cost an agent several thousand tokens
 * before its first question.
 */
export function readTools(endpoints: readonly Endpoint[]): readonly ReadTool[] {
  return Object.entries(GROUPS).flatMap(([tag, { title, describe }]) => {
    const members = endpoints.filter((endpoint) => endpoint.tag === tag);
    if (members.length === 0) return [];
    const description = `${describe} Endpoints:\n${members.map(describeEndpoint).join('\n')}`;
    return [{ name: tag, title, description, inputSchema: inputOf(members), endpoints: members }];
  });
}

/** A new tag needs a row here, which the compiler requires. */
const GROUPS: Readonly<Record<Endpoint['tag'], { title: string; describe: string }>> = {
  earnings: {
    title: 'Earnings dates, results and reactions',
    describe: 'Report dates, estimates, results, surprises, price reactions and past versions.',
  },
  calendars: {
    title: 'Economic, IPO and dividend calendars',
    describe: 'Economic releases, offerings and ex-dividend dates.',
  },
  companies: {
    title: 'Companies',
    describe: 'Search and profiles of U.S. listed companies.',
  },
  market: {
    title: 'U.S. market hours and activity',
    describe: 'Trading days, holidays, whether the market is open, and unusual volume.',
  },
  data: {
    title: 'Coverage and changes of the data',
    describe: 'Coverage and freshness of the data, and every change with its time.',
  },
};

function describeEndpoint(endpoint: Endpoint): string {
  const note = endpoint.deprecated === undefined ? '' : 'Deprecated. ';
  return `- ${signatureOf(endpoint)}: ${note}${firstClause(endpoint.describe)}`;
}

function inputOf(endpoints: readonly Endpoint[]): ToolInput {
  const properties: ToolInput['properties'] = {
    endpoint: { type: 'string', enum: endpoints.map(({ name }) => name) },
  };
  const byName = Map.groupBy(endpoints.flatMap(offeredParameters), ({ name }) => name);
  for (const [name, variants] of byName) properties[name] = schemaOf(variants);
  return {
    type: 'object',
    properties: { ...properties, ...ANSWER_PROPERTIES },
    required: ['endpoint'],
  };
}

const ANSWER_PROPERTIES: ToolInput['properties'] = {
  fields: {
    type: 'string',
    description: 'Comma-separated fields of each row to return, such as symbol,date. Saves tokens.',
  },
  limit: { type: 'integer', description: 'Maximum number of rows.' },
  cursor: { type: 'string', description: 'Cursor of the previous answer, for its next rows.' },
};

/**
 * Returns a schema that accepts the values of every endpoint with a parameter of this name. The
 * read API rejects a value that the chosen endpoint does not accept.
 */
function schemaOf(variants: readonly Parameter[]): JsonSchema {
  const described = { description: shortestClause(variants.map(({ describe }) => describe)) };
  const kinds = new Set(variants.map(({ kind }) => kind));
  const [kind] = kinds;
  if (kinds.size > 1 || kind === undefined) return { type: 'string', ...described };
  switch (kind) {
    case 'enum': {
      const values = variants.flatMap((variant) => (variant.kind === 'enum' ? variant.values : []));
      return { type: 'string', enum: [...new Set(values)], ...described };
    }
    case 'integer':
      return { type: 'integer', ...described };
    case 'boolean':
      return { type: 'boolean', ...described };
    case 'decimal':
      return { type: 'number', ...described };
    case 'date':
    case 'symbol':
    case 'symbols':
    case 'instant':
    case 'text':
    case 'id':
      return { type: 'string', ...described };
  }
}

function shortestClause(texts: readonly string[]): string {
  const clauses = texts.map(firstClause);
  return clauses.reduce((shortest, text) => (text.length < shortest.length ? text : shortest));
}

/** Returns the first sentence up to its first semicolon, without Markdown. `U.S.` ends no sentence. */
function firstClause(text: string): string {
  const [clause = text] = text.replaceAll('`', '').split(/;|(?<![A-Z])\.(?= |$)/);
  return `${clause}.`;
}
