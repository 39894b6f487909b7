import { makeAnswer } from '../../../src/providers/source-response.ts';
import { type Answer, AnswerError, type Feed } from '../../../src/providers/provider.ts';

/** Answers of the API for the tests of this folder. */
export function apiAnswer(path: string, body: unknown): Answer {
  return makeAnswer({
    url: `https://api.nasdaq.com/api/${path}`,
    status: 200,
    contentType: 'application/json; charset=utf-8',
    observedAt: 0,
    text: typeof body === 'string' ? body : JSON.stringify(body),
  });
}

export function envelope(data: unknown): object {
  return { data, message: null, status: { rCode: 200, bCodeMessage: null } };
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
