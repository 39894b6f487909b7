import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['service/**/*.test.ts', 'sdk/**/*.test.ts', 'scripts/**/*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 120_000,
    maxWorkers: 2,
  },
});
