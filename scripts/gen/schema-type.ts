/** The subset of JSON Schema that our OpenAPI documents use. */
export interface JsonSchema {
  $ref?: string;
  type?: string;
  format?: string;
  enum?: readonly unknown[];
  const?: unknown;
  anyOf?: readonly JsonSchema[];
  items?: JsonSchema | boolean;
  minItems?: number;
  maxItems?: number;
  properties?: Readonly<Record<string, JsonSchema>>;
  patternProperties?: Readonly<Record<string, JsonSchema>>;
  additionalProperties?: boolean | JsonSchema;
  required?: readonly string[];
  description?: string;
}

/** Prints a schema as TypeScript; object members are indented by `depth` levels. */
export function printType(schema: JsonSchema, depth = 0): string {
  if (schema.$ref !== undefined) return schema.$ref.split('/').at(-1) ?? 'unknown';
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return schema.enum.map((it) => literal(it)).join(' | ');
  if (schema.anyOf !== undefined) {
    const types = schema.anyOf.map((option) => printType(option, depth));
    return [...new Set(types)].join(' | ');
  }
  switch (schema.type) {
    case 'string':
    case 'boolean':
    case 'null':
      return schema.type;
    case 'number':
    case 'integer':
      return 'number';
    case 'array':
      return printArray(schema, depth);
    case 'object':
      return printObject(schema, depth);
    default:
      return 'unknown';
  }
}

function literal(value: unknown): string {
  return typeof value === 'string' ? `'${value.replaceAll("'", "\\'")}'` : JSON.stringify(value);
}

function printArray({ items, minItems, maxItems }: JsonSchema, depth: number): string {
  if (typeof items !== 'object') return 'readonly unknown[]';
  const item = printType(items, depth);
  if (minItems !== undefined && minItems === maxItems) {
    return `readonly [${Array.from({ length: minItems }, () => item).join(', ')}]`;
  }
  return /^\w+$/.test(item) ? `readonly ${item}[]` : `readonly (${item})[]`;
}

function printObject(schema: JsonSchema, depth: number): string {
  const { properties = {}, patternProperties, required = [] } = schema;
  if (patternProperties !== undefined) {
    const values = Object.values(patternProperties).map((it) => printType(it, depth));
    return `Readonly<Record<string, ${values.join(' | ')}>>`;
  }
  if (Object.keys(properties).length === 0) {
    const { additionalProperties: others } = schema;
    const value = typeof others === 'object' ? printType(others, depth) : 'unknown';
    return `Readonly<Record<string, ${value}>>`;
  }
  return `{\n${printMembers(properties, required, depth + 1)}${indent(depth)}}`;
}

/** Prints an object's members, one per line, with their descriptions. */
export function printMembers(
  properties: Readonly<Record<string, JsonSchema>>,
  required: readonly string[],
  depth: number,
): string {
  return Object.entries(properties)
    .map(([name, schema]) => {
      const says = schema.description;
      const comment = says === undefined ? '' : `${indent(depth)}/** ${oneLine(says)} */\n`;
      const mark = required.includes(name) ? '' : '?';
      const key = /^[A-Za-z_$][\w$]*$/.test(name) ? name : `'${name}'`;
      return `${comment}${indent(depth)}${key}${mark}: ${printType(schema, depth)};\n`;
    })
    .join('');
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').replaceAll('*/', '* /');
}

function indent(depth: number): string {
  return '  '.repeat(depth);
}
