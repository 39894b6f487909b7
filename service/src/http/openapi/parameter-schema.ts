import { SYMBOL_PATTERN, SYMBOLS_PATTERN } from '../../domain/symbol-pattern.ts';
import type { Parameter } from '../../endpoints/endpoint.ts';
import type { JsonObject } from './collect-schemas.ts';

/** Days from 1900 to 2100. `format` excludes days that do not exist. */
const DAY = '(?:19\\d{2}|20\\d{2}|2100)-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\\d|3[01])';
const TIME = 'T(?:[01]\\d|2[0-3]):[0-5]\\d(?::[0-5]\\d(?:\\.\\d{1,9})?)?';
const OFFSET = '(?:Z|[+-](?:[01]\\d|2[0-3]):[0-5]\\d)';

/** A day from 1900 to 2100. */
export const CALENDAR_DAY: JsonObject = { type: 'string', format: 'date', pattern: `^${DAY}$` };

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
          `companies on the watchlist of that name.`,
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
      return { type: 'number', minimum: Number(parameter.min) };
    case 'instant':
      return {
        anyOf: [
          { type: 'string', format: 'date-time', pattern: `^${DAY}${TIME}${OFFSET}$` },
          CALENDAR_DAY,
        ],
      };
    case 'id':
      return { type: 'string', pattern: parameter.pattern.source };
    case 'enum':
      return { type: 'string', enum: [...parameter.values], ...defaultOf(parameter) };
  }
}

function defaultOf({ default: value }: { default?: string | number | boolean | null }): JsonObject {
  return value === undefined || value === null ? {} : { default: value };
}
