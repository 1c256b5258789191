import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const api = process.env.TIDINGS_API ?? 'http://127.0.0.1:8080';

/** Builds the browser side into `dist/web`; in development, the API is answered by a running server (`TIDINGS_API`). */
export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  build: { outDir: '../dist/web', emptyOutDir: true, manifest: true, target: 'es2023', assetsInlineLimit: 0 },
  // Our own modules of web/api/ are served under the same path; only they end in .ts.
  server: { port: 5173, proxy: { '^/api/(?!.*\\.ts(\\?|$))': api, '/fhir': api, '/healthz': api, '/readyz': api } },
});
