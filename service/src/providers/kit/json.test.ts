import { describe, expect, it } from 'vitest';
import { createSourceResponse } from '../source-response.ts';
import { type SourceResponse, SourceResponseError } from '../provider.ts';
import { requireJson } from './json.ts';

function response(text: string, status = 200): SourceResponse {
  const url = 'https://source.example/data';
  return createSourceResponse({
    url,
    status,
    contentType: 'application/json',
    observedAt: 0,
    text,
  });
}

function error(text: SourceResponse): unknown {
  try {
    return requireJson(text);
  } catch (error) {
    return error instanceof SourceResponseError ? `${error.kind} ${error.reason}` : error;
  }
}

describe('requireJson', () => {
  it('parses a JSON body that begins with a byte-order mark', () => {
    expect(requireJson(response('\uFEFF{"a":[1]}'))).toEqual({ a: [1] });
  });

  it.each([
    ['{}', 401, 'blocked http-401'],
    ['<html>Access Denied</html>', 403, 'blocked http-403'],
    ['', 429, 'blocked http-429'],
    ['{}', 404, 'not-found http-404'],
    ['{}', 500, 'error-answer http-500'],
    ['{}', 302, 'error-answer http-302'],
  ])('rejects the body %s with status %i as %s', (text, status, reason) => {
    expect(error(response(text, status))).toBe(reason);
  });

  it.each([
    ['', 'damaged empty-body'],
    ['  \n', 'damaged empty-body'],
    ['<!DOCTYPE html><html></html>', 'blocked html-instead-of-json'],
    ['\n <HTML><HEAD>', 'blocked html-instead-of-json'],
    ['{"a": 1', 'damaged not-json'],
    ['{"a": NaN}', 'damaged not-json'],
    ['{"a": Infinity}', 'damaged not-json'],
    ['symbol,date', 'damaged not-json'],
    ['\0', 'damaged not-json'],
    [`${'['.repeat(100)}${']'.repeat(100)}`, 'damaged nested-too-deep'],
    [`${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`, 'damaged nested-too-deep'],
  ])('rejects the body %.40s as %s', (text, reason) => {
    expect(error(response(text))).toBe(reason);
  });
});
