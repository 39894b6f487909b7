import { tanstackRouter } from '@tanstack/router-plugin/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** `AFTERBELL_URL`: the service that `npx vite` sends the calls of the pages to. */
const service = process.env['AFTERBELL_URL'] ?? 'http://127.0.0.1:8080';
const served = ['/account', '/operator', '/v1', '/openapi.json', '/favicon.svg', '/status'];

export default defineConfig({
  base: '/dashboard/',
  plugins: [
    // Before react(): it splits the routes that react() then compiles.
    tanstackRouter({
      target: 'react',
      autoCodeSplitting: true,
      routesDirectory: 'src/routes',
      generatedRouteTree: 'src/routes.gen.ts',
      routeFileIgnorePattern: '\\.test\\.|\\.module\\.css',
      quoteStyle: 'single',
    }),
    react(),
  ],
  build: {
    target: 'es2023',
    // The polyfill would be an inline script, which the service's policy forbids.
    modulePreload: { polyfill: false },
    // Data addresses would need an exception in the policy.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    // Says which file needs which: the size of a first load is tested by it.
    manifest: true,
  },
  server: {
    proxy: Object.fromEntries(served.map((path) => [path, { target: service }])),
  },
});
