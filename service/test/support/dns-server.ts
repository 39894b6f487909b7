import { createSocket } from 'node:dgram';
import ipaddr from 'ipaddr.js';

export interface Question {
  name: string;
  type: 'A' | 'AAAA';
  /** Number of earlier questions of this type. */
  n: number;
}

export type DnsRecord = { address: string; ttl?: number } | { cname: string };

/** `refuse` responds with SERVFAIL, `unknown` with NXDOMAIN, and `silent` never responds. */
export type DnsAnswer = readonly DnsRecord[] | 'refuse' | 'silent' | 'unknown';

export interface DnsServer {
  /** Address to configure in a resolver, such as `127.0.0.1:5353`. */
  server: string;
  questions: Question[];
  /** Resolves after this many questions. */
  untilQuestions(count: number): Promise<void>;
  close(): Promise<void>;
}

/** Starts a scripted DNS server on the loopback interface. */
export async function startDnsServer(
  script: (question: Question) => DnsAnswer,
): Promise<DnsServer> {
  const socket = createSocket('udp4');
  const questions: Question[] = [];
  const waiters = new Set<() => void>();
  socket.on('message', (message, { port, address }) => {
    const { name, type, end } = readQuestion(message);
    const question = { name, type, n: questions.filter((earlier) => earlier.type === type).length };
    questions.push(question);
    const answer = script(question);
    if (answer !== 'silent') {
      socket.send(encodeAnswer(message.subarray(0, end), question, answer), port, address);
    }
    for (const check of waiters) check();
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  const { port } = socket.address();
  return {
    server: `127.0.0.1:${port}`,
    questions,
    untilQuestions: (count) =>
      new Promise((resolve) => {
        const check = (): void => {
          if (questions.length < count) return;
          waiters.delete(check);
          resolve();
        };
        waiters.add(check);
        check();
      }),
    close: () => new Promise((resolve) => socket.close(() => resolve())),
  };
}

function readQuestion(message: Buffer): { name: string; type: 'A' | 'AAAA'; end: number } {
  const labels: string[] = [];
  let offset = 12;
  for (let length = message.readUInt8(offset); length > 0; length = message.readUInt8(offset)) {
    labels.push(message.toString('latin1', offset + 1, offset + 1 + length));
    offset += 1 + length;
  }
  const type = message.readUInt16BE(offset + 1) === 28 ? 'AAAA' : 'A';
  return { name: labels.join('.'), type, end: offset + 5 };
}

const CODES = { refuse: 2, unknown: 3 };

function encodeAnswer(
  head: Buffer,
  question: Question,
  answer: readonly DnsRecord[] | 'refuse' | 'unknown',
): Buffer {
  const records = typeof answer === 'string' ? [] : answer;
  const header = Buffer.from(head.subarray(0, 12));
  header.writeUInt16BE(0x8180 + (typeof answer === 'string' ? CODES[answer] : 0), 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(records.length, 6);
  // The response has no authority and no additional records.
  header.writeUInt32BE(0, 8);
  let owner = question.name;
  const recordBytes = records.map((record) => {
    const bytes = encodeRecord(owner, record);
    if ('cname' in record) owner = record.cname;
    return bytes;
  });
  return Buffer.concat([header, head.subarray(12), ...recordBytes]);
}

function encodeRecord(owner: string, record: DnsRecord): Buffer {
  const isName = 'cname' in record;
  const data = isName
    ? encodeName(record.cname)
    : Buffer.from(ipaddr.parse(record.address).toByteArray());
  const fixed = Buffer.alloc(10);
  fixed.writeUInt16BE(isName ? 5 : data.length === 4 ? 1 : 28, 0);
  fixed.writeUInt16BE(1, 2);
  fixed.writeUInt32BE(isName ? 0 : (record.ttl ?? 0), 4);
  fixed.writeUInt16BE(data.length, 8);
  return Buffer.concat([encodeName(owner), fixed, data]);
}

function encodeName(name: string): Buffer {
  const labels = name.split('.').map((label) => Buffer.from(label, 'latin1'));
  const parts = labels.flatMap((label) => [Buffer.from([label.length]), label]);
  return Buffer.concat([...parts, Buffer.from([0])]);
}
