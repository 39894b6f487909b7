import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['{service,sdk,dashboard,scripts,deploy}/**/*.test.ts'],
    exclude: ['**/node_modules/**', '**/dist/**'],
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // What is waited for may take its time on a busy machine; a second is not long.
    expect: { poll: { timeout: 30_000 } },
    // Many of them wait for processes, browsers and answers.
    maxWorkers: 3,
  },
});
