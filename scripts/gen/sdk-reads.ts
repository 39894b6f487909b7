import {
  isStream,
  isText,
  type Operation,
  operationsOf,
  printNamed,
  responseSchema,
} from './described.ts';
import { GENERATED, type Output } from './output.ts';
import { describeReadApi } from './read-api.ts';
import { printMembers, printType } from './schema-type.ts';

/** The types of the client library. They add nothing to a bundle. */
export const sdkReads: Output = {
  path: 'sdk/src/reads.gen.ts',
  async render(root) {
    const description = await describeReadApi(root);
    if (description === null) return null;
    const { paths, components } = description;
    const reads = operationsOf(paths).filter(({ operation }) => !isStream(operation));
    return [
      `${GENERATED}\n`,
      ...Object.entries(components.schemas).map(([name, schema]) => printNamed(name, schema)),
      `/** Every read endpoint by its path, with its parameters and its response. */`,
      `export interface Reads {\n${reads.map(printRead).join('')}}\n`,
    ].join('\n');
  },
};

function printRead({ path, operation }: { path: string; operation: Operation }): string {
  const response = responseSchema(operation);
  const parameters = operation.parameters ?? [];
  const required = parameters.filter((it) => it.required === true);
  const described = parameters.map(({ name, schema, description = '' }) => {
    return [name, { ...schema, description }] as const;
  });
  const members = printMembers(
    Object.fromEntries(described),
    required.map(({ name }) => name),
    3,
  );
  return [
    `  /** ${operation.summary} */\n`,
    `  '${path}': {\n`,
    // Lets callers pass undefined for optional parameters.
    `    parameters: {\n${members.replaceAll(/^( {6}\w+\?: .*);$/gm, '$1 | undefined;')}    };\n`,
    `    response: ${response === undefined ? (isText(operation) ? 'string' : 'Uint8Array') : printType(response, 2)};\n`,
    `    hasTable: ${operation['x-csv'] === true};\n`,
    `    hasPages: ${response !== undefined && parameters.some(({ name }) => name === 'limit')};\n`,
    `  };\n`,
  ].join('');
}
