import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

const api = process.env.TIDINGS_API ?? 'http://127.0.0.1:8080';

/** Beside each script and style its brotli-compressed form, which the server sends to browsers that take it. */
const compressed: Plugin = {
  name: 'compressed',
  apply: 'build',
  writeBundle({ dir = '' }) {
    const assets = join(dir, 'assets');
    for (const file of readdirSync(assets).filter((name) => /\.(js|css)$/.test(name)))
      writeFileSync(join(assets, `${file}.br`), brotliCompressSync(readFileSync(join(assets, file))));
  },
};

type ModuleGraph = { getModuleInfo: (id: string) => { importedIds: readonly string[] } | null };
const own = (id: string): boolean =>
  /\/(web|contract)\/[^?]*\.(tsx?|module\.css)$/.test(id) && !id.includes('node_modules');

/** Our modules that `entry` imports, and what those import. */
const reachedFrom = (entry: string, graph: ModuleGraph): Set<string> => {
  const reached = new Set<string>();
  const visit = (id: string): void => {
    if (reached.has(id) || !own(id)) return;
    reached.add(id);
    for (const next of graph.getModuleInfo(id)?.importedIds ?? []) visit(next);
  };
  visit(join(import.meta.dirname, entry));
  return reached;
};
let first: Set<string> | null = null;
/** What the first page after sign-in loads besides the entry stays in one piece, whoever else uses parts of it: it compresses better. */
const ofFirstPage = (id: string, graph: ModuleGraph): string | null => {
  if (first === null) {
    const entry = reachedFrom('main.tsx', graph);
    first = new Set([...reachedFrom('area.ts', graph)].filter((each) => !entry.has(each)));
  }
  return first.has(id) ? 'area' : null;
};

/** Builds the browser side into `dist/web`; in development, the API is answered by a running server (`TIDINGS_API`). */
export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), compressed],
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    manifest: true,
    target: 'es2023',
    assetsInlineLimit: 0,
    rolldownOptions: {
      output: {
        codeSplitting: {
          includeDependenciesRecursively: false,
          groups: [
            {
              name: 'vendor',
              test: /node_modules\/(react|react-dom|scheduler|use-sync-external-store|@tanstack\/[\w-]+)\//,
            },
            { name: ofFirstPage },
          ],
        },
      },
    },
  },
  // Our own modules of web/api/ are served under the same path; only they end in .ts.
  server: { port: 5173, proxy: { '^/api/(?!.*\\.ts(\\?|$))': api, '/fhir': api, '/healthz': api, '/readyz': api } },
});
