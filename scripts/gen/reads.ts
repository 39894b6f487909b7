import { answerOf, type Description, isStream, operationsOf } from './described.ts';
import { readClient } from './read-client.ts';
import { printMembers, printType } from './schema-type.ts';

/** The endpoints that the dashboard reads through `explore`, with their URLs and response types. */
export const reads = readClient('dashboard/src/api/reads.gen.ts', printReads);

function printReads(paths: Description['paths']): string[] {
  const described = operationsOf(paths).filter(({ operation }) => !isStream(operation));
  const operations = described.map(({ operation }) => {
    const parameters = operation.parameters ?? [];
    const answer = answerOf(operation);
    return [
      `  /** ${operation.summary} */\n`,
      `  '${operation.operationId}': {\n`,
      `    query: {\n`,
      printMembers(
        Object.fromEntries(parameters.map(({ name, schema }) => [name, schema])),
        parameters.filter((it) => it.required === true).map(({ name }) => name),
        3,
      ),
      `    };\n`,
      `    answer: ${answer === undefined ? 'string' : printType(answer, 2)};\n`,
      `  };\n`,
    ].join('');
  });
  const places = described.map(({ path, operation: { operationId, tags } }) => {
    return `  '${operationId}': { path: '${path}', tag: '${tags[0] ?? ''}' },\n`;
  });
  return [
    `/** Every read endpoint: what it is asked with, and what it answers. */`,
    `export interface Reads {\n${operations.join('')}}\n`,
    `/** Where each of them is, and under which heading the reference lists it. */`,
    `export const READ_PATHS: Readonly<Record<keyof Reads, { path: string; tag: string }>> = {`,
    `${places.join('')}};\n`,
  ];
}
