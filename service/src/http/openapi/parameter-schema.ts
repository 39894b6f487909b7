import { SYMBOL_PATTERN, SYMBOLS_PATTERN } from '../../domain/symbol-pattern.ts';
import type { Parameter } from '../../endpoints/endpoint.ts';
import type { JsonObject } from './collect-schemas.ts';

const YEAR = '(?:19\\d{2}|20\\d{2}|2100)';
const DAY_OF_YEAR = '(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\\d|3[01])';
const TIME = 'T(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(?:\\.\\d{1,9})?';
/** The first and the last year depend on the offset. */
const INSTANT_YEAR = '(?:190[1-9]|19[1-9]\\d|20\\d{2})';
const OFFSET = '(?:Z|[+-](?:[01]\\d|2[0-3]):[0-5]\\d)';

/** A day from 1900 to 2100. `format` excludes days that do not exist. */
export const CALENDAR_DAY: JsonObject = {
  type: 'string',
  format: 'date',
  pattern: `^${YEAR}-${DAY_OF_YEAR}$`,
};

const INSTANT: JsonObject = {
  type: 'string',
  format: 'date-time',
  pattern: `^${INSTANT_YEAR}-${DAY_OF_YEAR}${TIME}${OFFSET}$`,
};

/** Schemas that the parameters of several operations share, by name. */
export const SHARED_PARAMETER_SCHEMAS: Readonly<Record<string, JsonObject>> = {
  RelativeDate: {
    type: 'string',
    enum: ['today', 'yesterday', 'tomorrow'],
    description: 'Day relative to the current day in New York.',
  },
};

/** Returns the schema for the values that the service accepts. */
export function parameterSchema(parameter: Parameter): JsonObject {
  switch (parameter.kind) {
    case 'date':
      return { anyOf: [CALENDAR_DAY, { $ref: '#/components/schemas/RelativeDate' }] };
    case 'symbol':
      return { type: 'string', minLength: 1, maxLength: 24, pattern: SYMBOL_PATTERN };
    case 'symbols':
      return {
        type: 'string',
        minLength: 1,
        pattern: SYMBOLS_PATTERN,
        description:
          `Comma-separated list of at most ${parameter.max} symbols. \`@name\` stands for the ` +
          `companies on the watchlist of that name, which count too.`,
      };
    case 'boolean':
      return { type: 'boolean', ...defaultOf(parameter) };
    case 'text':
      return { type: 'string', minLength: 1, maxLength: parameter.lengthMax };
    case 'integer':
      return {
        type: 'integer',
        minimum: parameter.min,
        maximum: parameter.max,
        ...defaultOf(parameter),
      };
    case 'decimal':
      return { type: 'number', minimum: Number(parameter.min), maximum: Number(parameter.max) };
    case 'instant':
      return { anyOf: [INSTANT, CALENDAR_DAY] };
    case 'id': {
      const id = { type: 'string', pattern: parameter.pattern.source };
      return parameter.orInstant === true ? { anyOf: [id, INSTANT] } : id;
    }
    case 'enum':
      return { type: 'string', enum: [...parameter.values], ...defaultOf(parameter) };
  }
}

function defaultOf({ default: value }: { default?: string | number | boolean | null }): JsonObject {
  return value === undefined || value === null ? {} : { default: value };
}
