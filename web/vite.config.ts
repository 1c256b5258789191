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

/** What every page stands on, in one piece: it compresses better than its parts. Lists of queries are for seldom used pages. */
const FRAME =
  /node_modules\/(react|react-dom|scheduler|clsx|use-sync-external-store|@tanstack\/(?!.*(useQueries|queriesObserver))[\w-]+|@mantine\/core\/esm\/(core|components\/(ActionIcon|Badge|Button|Loader|UnstyledButton|VisuallyHidden|Text|Anchor)))\/|vite\/preload-helper/;

/** What the first page shares with later ones: in one piece too, for small parts hardly compress. */
const SHARED = new RegExp(
  [
    'web/(api/|errors/(report|retry)|session/(session|queries|paths|clinical-setting|password-expiry|preferences|switch-team)\\.)',
    'web/ui/(format/|shortcuts|pager|toasts|announcer|use-|density)',
    'contract/(event-codes|management-status|groups)\\.',
    'icons/Icon(Activity|AlertTriangle|AlertOctagonFilled|ArrowLeft|Check|ChevronDown|Circle|Clock|InfoCircle|RotateClockwise2|X)',
    'createReactComponent|defaultAttributes',
  ].join('|'),
);

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
    // A part asks for itself; asked for twice at once, its five tries would be six.
    modulePreload: { polyfill: false, resolveDependencies: (file, needed) => needed.filter((one) => one !== file) },
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: 'frame', test: FRAME },
            { name: 'shared', test: SHARED },
          ],
        },
      },
    },
  },
  // Our own modules of web/api/ are served under the same path; only they end in .ts.
  server: { port: 5173, proxy: { '^/api/(?!.*\\.ts(\\?|$))': api, '/fhir': api, '/healthz': api, '/readyz': api } },
});
