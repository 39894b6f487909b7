import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

export interface StreamServer {
  url: string;
  /** Commits changes, and returns the CPU time and the memory used so far. */
  commit(changes: number): Promise<{ cpuMicros: number; rss: number }>;
  stop(): void;
}

export async function startStreamServer(which: 'ours' | 'bare'): Promise<StreamServer> {
  const script = fileURLToPath(new URL('streams-server.ts', import.meta.url));
  const child = spawn(process.execPath, ['--expose-gc', script, which], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  if (child.stdout === null) throw new Error('the child process has no stdout');
  const [url] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  return {
    url,
    async commit(changes) {
      child.send(changes);
      type Reply = { cpu: NodeJS.CpuUsage; rss: number };
      const [{ cpu, rss }] = (await once(child, 'message')) as [Reply];
      return { cpuMicros: cpu.user + cpu.system, rss };
    },
    stop: () => void child.kill(),
  };
}
