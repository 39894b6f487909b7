import { answerOf, isStream, isText, type Operation, operationsOf } from './described.ts';
import { readClient } from './read-client.ts';
import { printMembers, printType } from './schema-type.ts';

/** The types of the client library. They add nothing to a bundle. */
export const sdkReads = readClient('sdk/src/reads.gen.ts', (paths) => {
  const reads = operationsOf(paths).filter(({ operation }) => !isStream(operation));
  return [
    `/** Every read endpoint by its path: what it is asked with, and what it answers. */`,
    `export interface Reads {\n${reads.map(printRead).join('')}}\n`,
  ];
});

function printRead({ path, operation }: { path: string; operation: Operation }): string {
  const answer = answerOf(operation);
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
    `    answer: ${answer === undefined ? (isText(operation) ? 'string' : 'Uint8Array') : printType(answer, 2)};\n`,
    `    hasTable: ${operation['x-csv'] === true};\n`,
    `    hasPages: ${answer !== undefined && parameters.some(({ name }) => name === 'limit')};\n`,
    `  };\n`,
  ].join('');
}
