import { Type } from 'typebox';
import type { StatedFigureObservation } from '../../datasets/earnings/observation.ts';
import type { Evidence } from '../../datasets/quarantine/evidence.ts';
import { loadResponse } from '../../datasets/responses/load-response.ts';
import { integer, list, named, nullable, text } from '../../endpoints/schema/fields.ts';
import type { DocumentExcerpt } from '../../providers/document-excerpt.ts';
import { providers } from '../../providers/registry.gen.ts';
import { createSourceResponse } from '../../providers/source-response.ts';
import type { Queryable } from '../../storage/db.ts';

const excerptCell = named('ExcerptCell', {
  text: text('Plain text of the cell.'),
  columns: integer('Number of columns that the cell covers.'),
  highlight: nullable(
    named('ExcerptHighlight', {
      start: integer('Position of the first character of the value in `text`.'),
      end: integer('Position after its last character.'),
    }),
  ),
});

/** A figure that was read from a document for people, with the part of the document around it. */
export const statedInSchema = named('StatedInDocument', {
  url: text('Address of the document.'),
  figure: text('Name of the figure.'),
  value: text('The value that was read, as decimal text.'),
  row: text('Label of the row, or the sentence for a value from prose.'),
  column: nullable(text('Head of the column; null for a value from prose.')),
  excerpt: nullable(
    Type.Array(list(excerptCell, 'Cells of a line.'), {
      description: 'Lines of the document around the value; null if the archive does not have it.',
    }),
  ),
});

export interface StatedInDocument {
  url: string;
  figure: string;
  value: string;
  row: string;
  column: string | null;
  excerpt: DocumentExcerpt | null;
}

/** Loads the document of a quarantined figure; null for rows that were not read from documents. */
export async function loadStatedIn(
  db: Queryable,
  source: { provider: string; feed: string },
  { row, isReadable, response }: Evidence,
): Promise<StatedInDocument | null> {
  if (!isReadable || !isStatedFigure(row)) return null;
  const { documentUrl: url, figure, value, cell } = row;
  const feed = providers
    .find(({ name }) => name === source.provider)
    ?.feeds.find(({ name }) => name === source.feed);
  const document = feed?.excerpt === undefined ? null : await loadResponse(db, response.id);
  const excerpt =
    document === null ? null : feed?.excerpt?.(createSourceResponse(document), cell.offset);
  return { url, figure, value, row: cell.row, column: cell.column, excerpt: excerpt ?? null };
}

function isStatedFigure(row: unknown): row is StatedFigureObservation {
  return typeof row === 'object' && row !== null && 'kind' in row && row.kind === 'stated-figure';
}
