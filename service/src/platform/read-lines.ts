/**
 * Splits a UTF-8 byte stream into lines, without their line endings (LF or CRLF). A last line
 * without a line ending is included. Node's own reader also splits at U+2028 and U+2029, which
 * occur in names and in JSON.
 */
export async function* readLines(stream: AsyncIterable<Uint8Array>): AsyncGenerator<string, void> {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: false });
  let remainder = '';
  for await (const chunk of stream) {
    const lines = (remainder + decoder.decode(chunk, { stream: true })).split('\n');
    remainder = lines.pop() ?? '';
    for (const line of lines) yield withoutReturn(line);
  }
  remainder += decoder.decode();
  if (remainder !== '') yield withoutReturn(remainder);
}

function withoutReturn(line: string): string {
  return line.endsWith('\r') ? line.slice(0, -1) : line;
}
