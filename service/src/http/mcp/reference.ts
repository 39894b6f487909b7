import type { Endpoint } from '../../endpoints/endpoint.ts';
import type { Guide } from '../guides/load-guides.ts';
import { problem } from '../problems.ts';
import { renderEndpoint } from '../pages/llms-text.ts';
import type { SampleTarget } from '../pages/sample-url.ts';
import { type Answer, ANSWER_LENGTH_MAX, renderProblemAnswer } from './answer.ts';
import { readAnswerCursor, writeAnswerCursor } from './answer-cursor.ts';

/** A document that agents can read, as a resource or with the `reference` tool. */
export interface ReferencePage {
  /** Name that the tool accepts, such as `earnings` or `webhooks`. */
  topic: string;
  uri: string;
  title: string;
  summary: string;
  text: string;
}

const ENDPOINTS_URI = 'docs://endpoints/';
const GUIDES_URI = 'docs://guides/';

/** Returns one page for each endpoint, and the guides that are written for customers. */
export function referencePages(
  options: SampleTarget & { endpoints: readonly Endpoint[]; guides: readonly Guide[] },
): readonly ReferencePage[] {
  const { endpoints, guides } = options;
  return [
    ...endpoints.map((endpoint) => ({
      topic: endpoint.name,
      uri: `${ENDPOINTS_URI}${endpoint.name}`,
      title: endpoint.summary,
      summary: endpoint.describe,
      text: renderEndpoint(endpoint, options),
    })),
    ...guides
      .filter(({ isForCustomers }) => isForCustomers)
      .map(({ name, title, summary, text }) => ({
        topic: `guide-${name}`,
        uri: `${GUIDES_URI}${name}`,
        title,
        summary,
        text,
      })),
  ];
}

/** Tool that returns a page, for clients that show tools but no resources. */
export function referenceTool(pages: readonly ReferencePage[]) {
  return {
    name: 'reference',
    title: 'Reference of endpoints and guides',
    description:
      'Parameters, fields and a sample row of an endpoint, or a guide. Read it before you choose ' +
      'fields, and to explain a term. Reads no data.',
    inputSchema: {
      type: 'object' as const,
      properties: {
        topic: { type: 'string', enum: pages.map(({ topic }) => topic) },
        cursor: {
          type: 'string',
          description: 'Cursor of the previous answer, for its next part.',
        },
      },
      required: ['topic'],
    },
  };
}

/** Returns a page, or the part of a long page at which a cursor points. */
export function renderReference(
  pages: readonly ReferencePage[],
  { topic, cursor }: { topic?: unknown; cursor?: unknown },
): Answer {
  const page = pages.find((candidate) => candidate.topic === topic);
  const position = readAnswerCursor(typeof cursor === 'string' && cursor !== '' ? cursor : null);
  if (page === undefined || position === null) {
    const topics = pages.map((candidate) => candidate.topic).join(', ');
    const detail = `topic is one of: ${topics}. cursor is that of an earlier answer.`;
    return renderProblemAnswer(problem('invalid-parameter', detail));
  }
  const lines = page.text.split('\n').slice(position.skip);
  const part = firstLines(lines, ANSWER_LENGTH_MAX - 200);
  const text = part.join('\n');
  if (part.length === lines.length) return { text, isError: false };
  const skip = position.skip + part.length;
  const next = writeAnswerCursor({ skip, page: null, tag: null });
  return { text: `${text}\n\n(Continue with cursor ${next})`, isError: false };
}

/** Returns at least one line, however long it is. */
function firstLines(lines: readonly string[], lengthMax: number): readonly string[] {
  let length = 0;
  const end = lines.findIndex((line) => (length += line.length + 1) > lengthMax);
  return end === -1 ? lines : lines.slice(0, Math.max(1, end));
}
