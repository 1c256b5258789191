import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig, minifySync, type Plugin } from 'vite';
import { mantineLater } from './vite-mantine.ts';

const api = process.env.TIDINGS_API ?? 'http://127.0.0.1:8080';

/** Minifies the script that the page loads before all others, which the build only copies. */
const firstScript: Plugin = {
  name: 'first-script',
  apply: 'build',
  writeBundle({ dir = '' }) {
    const path = join(dir, 'color-scheme.js');
    writeFileSync(path, minifySync(path, readFileSync(path, 'utf8')).code);
  },
};

/** Writes a brotli-compressed copy beside each script and style, which the server sends to browsers that accept it. */
const compressed: Plugin = {
  name: 'compressed',
  apply: 'build',
  writeBundle({ dir = '' }) {
    for (const folder of [dir, join(dir, 'assets')])
      for (const file of readdirSync(folder).filter((name) => /\.(js|css)$/.test(name)))
        writeFileSync(join(folder, `${file}.br`), brotliCompressSync(readFileSync(join(folder, file))));
  },
};

/** What every page needs, in one chunk, which compresses better than its parts. What only a few pages use is left to them. */
const FRAME =
  /node_modules\/(react|react-dom|scheduler|clsx|use-sync-external-store|@tanstack\/(?!.*(useQueries|useIsFetching|queriesObserver|useBlocker|useMutation|mutationObserver|nfiniteQuery))[\w-]+|@mantine\/core\/esm\/core\/MantineProvider\/(Mantine\.context|MantineThemeProvider\/MantineThemeProvider))\/|vite\/preload-helper/;

/** What the first page shares with later ones, in one chunk too: small ones hardly compress. */
const SHARED = new RegExp(
  [
    'web/(api/|errors/(report|retry)|session/(session|queries|stored-keys|typed-memory|drafts|refreshing-rights|paths|clinical-setting|password-expiry|preferences|switch-team)\\.)',
    'web/ui/(back-button|refresh-button|forget|format/|store|shortcuts|commands|command-keys|pager|plain/|toasts|announcer|use-(?!return-focus)|density|menu\\.|divider)',
    'web/(shell/mfa-toast-rule|filters/(group-select|panel-button|use-filter)|lists/(list-|rows-select|sort-|work-|use-last-page|use-throttled)|patient/(event-|identity-|part2-|patient-query|phrases|use-similar-names)|reviews/review-queries|exports/export-queries|pre-admit/holding-groups|saved-filters/filter-menu|usage/(follow|track))',
    'contract/(event-codes|management-status|groups)\\.',
    'web/(rosters/roster-groups|ui/focus-free)\\.',
    'web/inbox/(card|inbox-queries|inbox-search|ping-badges|status-change|use-status-changes)\\.',
    'icons/Icon(Activity|AlertTriangle|AlertOctagonFilled|ArrowLeft|Check|ChevronDown|Circle|Clock|Download|HandStop|HourglassHigh|Inbox|InfoCircle|PlayerPause|RotateClockwise2|Search|TrendingUp|Users|X)',
    'createReactComponent|defaultAttributes',
  ].join('|'),
);

/** Builds the pages into `dist/web`. In development, a running server answers the API (`TIDINGS_API`). */
export default defineConfig({
  root: import.meta.dirname,
  plugins: [mantineLater, react(), firstScript, compressed],
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    manifest: true,
    target: 'es2023',
    assetsInlineLimit: 0,
    // A chunk must not preload itself: a second request for it would make six tries of five.
    modulePreload: { polyfill: false, resolveDependencies: (file, needed) => needed.filter((one) => one !== file) },
    rolldownOptions: {
      output: {
        // Long enough to tell versions of a file apart. The first page names all later ones, and hashes don't compress.
        chunkFileNames: 'assets/[name]-[hash:7].js',
        assetFileNames: 'assets/[name]-[hash:7][extname]',
        codeSplitting: {
          groups: [
            { name: 'frame', test: FRAME },
            { name: 'shared', test: SHARED },
          ],
        },
      },
    },
  },
  // The modules of web/api/ are served under the same path as the API, but end in .ts.
  server: { port: 5173, proxy: { '^/api/(?!.*\\.ts(\\?|$))': api, '/fhir': api, '/healthz': api, '/readyz': api } },
});
