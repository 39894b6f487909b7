import { fileURLToPath } from 'node:url';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { describe, expect, test } from 'vitest';
import { questionAgent } from '../support/question-agent.ts';
import { writeQuestions } from './questions.ts';
import { TODAY, type World } from './world.ts';

const BINARY = fileURLToPath(new URL('../../bin/afterbell.js', import.meta.url));
/** A usual approximation for English text and JSON. */
const CHARS_PER_TOKEN = 4;
const ANSWER_TOKENS_MAX = 6_000;
const RIGHT_MIN = 48;

/** Tests MCP, as agents use it. */
export function agents(world: () => World): void {
  describe('an agent', () => {
    test('answers questions about dates, surprises and past knowledge with only the tools', async () => {
      const questions = await writeQuestions(world());
      const client = new Client({ name: 'agent', version: '1' });
      await client.connect(
        new StreamableHTTPClientTransport(new URL(`${world().url}/mcp`), {
          requestInit: { headers: { 'X-Api-Key': world().key } },
        }),
      );
      const agent = questionAgent(client, TODAY);
      const wrong: string[] = [];
      for (const { text, answer } of questions) {
        const given = await agent.answer(text).catch((error: unknown) => String(error));
        if (given !== answer) wrong.push(`${text} ${given} instead of ${answer}`);
      }
      const { tools } = await client.listTools();
      await client.close();
      const tokens = agent.answerLengths.map((length) => Math.ceil(length / CHARS_PER_TOKEN));
      const sum = tokens.reduce((total, count) => total + count, 0);
      const most = Math.max(...tokens);
      const definitions = Math.ceil(JSON.stringify(tools).length / CHARS_PER_TOKEN);
      console.log(
        `${questions.length - wrong.length} of ${questions.length} questions answered with ` +
          `${tokens.length} tool calls; about ${definitions} tokens for the tools, ${sum} for all ` +
          `answers and ${most} for the longest`,
      );
      expect(questions).toHaveLength(50);
      expect(questions.length - wrong.length, wrong.join('\n')).toBeGreaterThanOrEqual(RIGHT_MIN);
      expect(most).toBeLessThan(ANSWER_TOKENS_MAX);
    });

    test('gets the same tools and answers from afterbell mcp on standard input and output', async () => {
      const transport = new StdioClientTransport({
        command: process.execPath,
        args: [BINARY, 'mcp', '--service-url', world().url],
        env: { PATH: process.env['PATH'] ?? '', SERVICE_API_KEY: world().key },
        stderr: 'pipe',
      });
      const client = new Client({ name: 'agent', version: '1' });
      await client.connect(transport);
      expect((await client.listTools()).tools.map(({ name }) => name)).toContain('earnings');
      expect(client.getInstructions()).toContain('simulated');
      const call = { name: 'market', arguments: { endpoint: 'market-holidays', limit: 1 } };
      const { content } = await client.callTool(call);
      expect(content).toEqual([
        { type: 'text', text: expect.stringContaining('"dataSource":"synthetic"') as string },
      ]);
      await client.close();
    });
  });
}
