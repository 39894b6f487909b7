import { OwnFileError, readOwnFile } from '../../ingest/own-files/read-own-file.ts';
import type { Instant } from '../../platform/instant.ts';
import { describeFile, type FileDescription } from '../../providers/files/describe-file.ts';
import { FILE_KINDS } from '../../providers/files/column-names.ts';
import type { FileOptions } from '../../providers/files/file-options.ts';
import { fileFeeds } from '../../providers/files/index.ts';
import { type SourceResponse, SourceResponseError } from '../../providers/provider.ts';
import { CliError } from '../command.ts';

/** A readable file whose kind and columns are known. */
export interface OwnFile {
  path: string;
  name: string;
  description: FileDescription;
  response: SourceResponse;
}

/**
 * Reads the files and checks their columns, before anything is imported. Throws a `CliError` that
 * lists every problem.
 */
export function openOwnFiles(
  paths: readonly { path: string; name: string }[],
  options: FileOptions,
  observedAt: Instant,
): OwnFile[] {
  const files: OwnFile[] = [];
  const problems: string[] = [];
  for (const { path, name } of paths) {
    try {
      const response = readOwnFile(path, { name, observedAt, options });
      const description = describeFile(fileFeeds, response);
      if (description === null) problems.push(`${path}: ${UNCLEAR_KIND}`);
      else {
        problems.push(...problemsOf(description).map((problem) => `${path}: ${problem}`));
        files.push({ path, name, description, response });
      }
    } catch (error) {
      problems.push(messageOf(error, path));
    }
  }
  if (problems.length > 0) throw new CliError(problems.join('\n'));
  return files;
}

const UNCLEAR_KIND =
  `neither the name nor the columns show what it contains; use --kind with one of ` +
  FILE_KINDS.join(', ');

function problemsOf({ kind, unknown, missing }: FileDescription): string[] {
  return [
    ...unknown.map(({ header, suggestion }) => {
      const column = suggestion ?? 'COLUMN';
      const hint = suggestion === null ? '' : `did you mean ${suggestion}? `;
      return (
        `${kind} files have no column "${header}"; ${hint}use --column "${header}=${column}" ` +
        `to read it as another column, or --column "${header}=" to leave it out`
      );
    }),
    ...missing.map(
      (column) => `no column contains ${column}; add one, or use --set ${column}=VALUE`,
    ),
  ];
}

function messageOf(error: unknown, path: string): string {
  if (error instanceof OwnFileError) return error.message;
  if (error instanceof SourceResponseError) return `${path}: ${error.message} (${error.reason})`;
  throw error;
}
