import { tanstackRouter } from '@tanstack/router-plugin/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** The service to which `npx vite` proxies API calls, from `SERVICE_URL`. */
const service = process.env['SERVICE_URL'] ?? 'http://127.0.0.1:8080';
const served = ['/account', '/operator', '/v1', '/openapi.json', '/favicon.svg', '/status'];

export default defineConfig({
  base: '/dashboard/',
  plugins: [
    // Must come before react(), which compiles the routes that it splits.
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
    // The polyfill is an inline script, which the Content-Security-Policy forbids.
    modulePreload: { polyfill: false },
    // Data URLs would need an exception in the Content-Security-Policy.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    // The first-load test reads the manifest.
    manifest: true,
    // The bundled packages require that their licenses are distributed with them.
    license: true,
  },
  server: {
    proxy: Object.fromEntries(served.map((path) => [path, { target: service }])),
  },
});
