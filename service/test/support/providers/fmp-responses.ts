import { makeAnswer } from '../../../src/providers/source-response.ts';
import { type Answer, AnswerError, type Feed } from '../../../src/providers/provider.ts';

/** Answers of the API for the tests of this folder. */
export function apiAnswer(path: string, body: unknown, status = 200, observedAt = 0): Answer {
  return makeAnswer({
    url: `https://financialmodelingprep.com/${path}`,
    status,
    contentType: 'application/json; charset=utf-8',
    observedAt,
    text: typeof body === 'string' ? body : JSON.stringify(body),
  });
}

/** Kind and reason of the refusal, or null when the answer is read. */
export function refusalOf(feed: Feed, answer: Answer): string | null {
  try {
    feed.parse(answer);
    return null;
  } catch (error) {
    if (error instanceof AnswerError) return `${error.kind} ${error.reason}`;
    throw error;
  }
}
