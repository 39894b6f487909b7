/** The names of the headers that the samples read. */
export interface SignedHeaders {
  timestamp: string;
  signature: string;
}

/** Returns the TypeScript sample for verifying a signature. */
export function verifyInTypescript(headers: SignedHeaders): string {
  return `import { createHmac, timingSafeEqual } from 'node:crypto';

/** rawBody: the bytes as received, before any parsing. */
export function isSigned(secret: string, headers: Headers, rawBody: Buffer): boolean {
  const timestamp = headers.get('${headers.timestamp}') ?? '';
  const given = Buffer.from(headers.get('${headers.signature}') ?? '');
  if (Math.abs(Date.now() / 1000 - Number(timestamp)) > 300) return false;
  // The body directly follows the timestamp, without a separator.
  const digest = createHmac('sha256', secret).update(timestamp).update(rawBody).digest('hex');
  const expected = Buffer.from(\`sha256=\${digest}\`);
  return given.length === expected.length && timingSafeEqual(given, expected);
}`;
}

export function verifyInPython(headers: SignedHeaders): string {
  return `import hashlib, hmac, time

# headers: "${headers.timestamp}" and "${headers.signature}"; raw_body: the bytes as received.
def is_signed(secret: str, timestamp: str, raw_body: bytes, signature: str) -> bool:
    if not timestamp.isdecimal() or abs(time.time() - int(timestamp)) > 300:
        return False
    # The body directly follows the timestamp, without a separator.
    digest = hmac.new(secret.encode(), timestamp.encode() + raw_body, hashlib.sha256)
    return hmac.compare_digest(f"sha256={digest.hexdigest()}".encode(), signature.encode())`;
}

/** A minimal receiver that responds with 200, without checking the signature yet. */
export const RECEIVER_TYPESCRIPT = `import { createServer } from 'node:http';
createServer(async (request, response) => {
  const body = Buffer.concat(await request.toArray());
  console.log(JSON.parse(body.toString()).context.symbol, body.toString());
  response.writeHead(200).end();
}).listen(3000);`;

export const RECEIVER_PYTHON = `from http.server import BaseHTTPRequestHandler, HTTPServer
class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        print(self.rfile.read(int(self.headers["Content-Length"])).decode())
        self.send_response(200); self.end_headers()
HTTPServer(("", 3000), Receiver).serve_forever()`;
