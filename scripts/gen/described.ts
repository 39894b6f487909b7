import { type JsonSchema, printMembers, printType } from './schema-type.ts';

/** The parts of an OpenAPI document from which clients are generated. */
export interface Description {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, JsonSchema> };
}

export interface Operation {
  operationId: string;
  summary: string;
  description: string;
  /** Sections of the reference; only the first is used. */
  tags: readonly string[];
  /** True if the response is also available as CSV. */
  'x-csv'?: true;
  parameters?: readonly Parameter[];
  requestBody?: { content: { 'application/json': { schema: JsonSchema } } };
  responses: Record<string, { content?: Record<string, { schema: JsonSchema }> }>;
}

export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required?: boolean;
  /** Parameters that may be sent instead of this one, which is otherwise required. */
  'x-required-unless'?: readonly string[];
  description?: string;
  schema: JsonSchema;
}

export function operationsOf(
  paths: Description['paths'],
): { path: string; method: string; operation: Operation }[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
}

/** Returns true for a stream, which never ends, so that no call can return its response. */
export function isStream({ responses }: Operation): boolean {
  return responses['200']?.content?.['text/event-stream'] !== undefined;
}

/** Returns true if the successful response is text, such as CSV, iCalendar or XML. */
export function isText({ responses }: Operation): boolean {
  const mediaTypes = Object.keys(responses['200']?.content ?? {});
  return mediaTypes.every((mediaType) => /^text\/|\+xml$/.test(mediaType));
}

/** Returns the JSON schema of a successful response, or undefined if it has no body. */
export function responseSchema({ responses }: Operation): JsonSchema | undefined {
  return Object.entries(responses)
    .filter(([status]) => status.startsWith('2'))
    .map(([, { content }]) => content?.['application/json']?.schema)
    .find((schema) => schema !== undefined);
}

/** Prints a named schema as an exported type. */
export function printNamed(name: string, schema: JsonSchema): string {
  const says = schema.description;
  const comment = says === undefined ? '' : `/** ${says.replaceAll(/\s+/g, ' ')} */\n`;
  if (schema.type === 'object' && schema.properties !== undefined) {
    const members = printMembers(schema.properties, schema.required ?? [], 1);
    return `${comment}export interface ${name} {\n${members}}\n`;
  }
  return `${comment}export type ${name} = ${printType(schema)};\n`;
}

/** Prints the path or query parameters in the type of a call. */
export function printPart(part: string, parameters: readonly Parameter[]): string {
  if (parameters.length === 0) return `    ${part}: null;\n`;
  const properties = Object.fromEntries(parameters.map((it) => [it.name, it.schema]));
  const required = parameters.filter((it) => it.required === true).map(({ name }) => name);
  return `    ${part}: {\n${printMembers(properties, required, 3)}    };\n`;
}
