import { describe, expect, it, vi } from 'vitest';
import { createSourceResponse } from './source-response.ts';

function responseOf(text: string, url = 'https://data.example/a/b?c=d#e') {
  return createSourceResponse({
    url,
    status: 200,
    contentType: 'application/json',
    observedAt: 7,
    text,
  });
}

describe('createSourceResponse', () => {
  it('splits a response URL into host and path with query', () => {
    const response = responseOf('{}');
    expect(response).toMatchObject({ host: 'data.example', path: '/a/b?c=d', observedAt: 7 });
  });

  it('returns the host without its port, even for custom URL schemes', () => {
    expect(responseOf('', 'http://127.0.0.1:81/x')).toMatchObject({
      host: '127.0.0.1',
      path: '/x',
    });
    expect(responseOf('', 'sandbox://market/x?a=1')).toMatchObject({
      host: 'market',
      path: '/x?a=1',
    });
  });

  it('strips a byte-order mark from the body before parsing', () => {
    const response = responseOf('\uFEFF{"a":1}');
    expect(response.text).toBe('{"a":1}');
    expect(response.json()).toEqual({ a: 1 });
  });

  it('returns undefined for a body with invalid JSON and null for JSON null', () => {
    expect(responseOf('<html>').json()).toBeUndefined();
    expect(responseOf('').json()).toBeUndefined();
    expect(responseOf('null').json()).toBeNull();
  });

  it('parses the body only once, even if it is not JSON', () => {
    const parse = vi.spyOn(JSON, 'parse');
    for (const text of ['[1]', 'no']) {
      parse.mockClear();
      const response = responseOf(text);
      expect(parse).toHaveBeenCalledTimes(0);
      expect(response.json()).toBe(response.json());
      expect(parse).toHaveBeenCalledTimes(1);
    }
    parse.mockRestore();
  });
});
