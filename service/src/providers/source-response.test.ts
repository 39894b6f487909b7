import { describe, expect, it, vi } from 'vitest';
import { makeAnswer } from './source-response.ts';

function answerOf(text: string, url = 'https://data.example/a/b?c=d#e') {
  return makeAnswer({ url, status: 200, contentType: 'application/json', observedAt: 7, text });
}

describe('makeAnswer', () => {
  it('takes host and path with query from the URL', () => {
    const answer = answerOf('{}');
    expect(answer).toMatchObject({ host: 'data.example', path: '/a/b?c=d', observedAt: 7 });
  });

  it('keeps the host without its port, and that of a URL scheme of our own', () => {
    expect(answerOf('', 'http://127.0.0.1:81/x')).toMatchObject({ host: '127.0.0.1', path: '/x' });
    expect(answerOf('', 'sandbox://market/x?a=1')).toMatchObject({
      host: 'market',
      path: '/x?a=1',
    });
  });

  it('takes a byte-order mark off before parsing', () => {
    const answer = answerOf('\uFEFF{"a":1}');
    expect(answer.text).toBe('{"a":1}');
    expect(answer.json()).toEqual({ a: 1 });
  });

  it('gives undefined for what is not JSON and null for JSON null', () => {
    expect(answerOf('<html>').json()).toBeUndefined();
    expect(answerOf('').json()).toBeUndefined();
    expect(answerOf('null').json()).toBeNull();
  });

  it('parses once, however often it is asked, also when it is not JSON', () => {
    const parse = vi.spyOn(JSON, 'parse');
    for (const text of ['[1]', 'no']) {
      parse.mockClear();
      const answer = answerOf(text);
      expect(parse).toHaveBeenCalledTimes(0);
      expect(answer.json()).toBe(answer.json());
      expect(parse).toHaveBeenCalledTimes(1);
    }
    parse.mockRestore();
  });
});
