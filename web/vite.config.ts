import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig, minifySync, type Plugin } from 'vite';
import { plainIcons } from './vite-icons.ts';
import { mantineLater } from './vite-mantine.ts';
import { mutationsLater } from './vite-mutations.ts';

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

/** A script is compressed as a whole. */
const LARGE_BLOCKS = { params: { [constants.BROTLI_PARAM_LGBLOCK]: 24 } };

/** Writes a brotli-compressed copy beside each script and style, which the server sends to browsers that accept it. */
const compressed: Plugin = {
  name: 'compressed',
  apply: 'build',
  writeBundle({ dir = '' }) {
    for (const folder of [dir, join(dir, 'assets')])
      for (const file of readdirSync(folder).filter((name) => /\.(js|css)$/.test(name)))
        writeFileSync(join(folder, `${file}.br`), brotliCompressSync(readFileSync(join(folder, file)), LARGE_BLOCKS));
  },
};

/** What every page needs, in one chunk, which compresses better than its parts. What only a few pages use is left to them. */
const FRAME = new RegExp(
  [
    'web/(router/(?!navigate|use-blocker)|mutation-cache|ui/(mantine-context|content-policy))',
    'node_modules/(react|react-dom|scheduler|clsx)/',
    'node_modules/@tanstack/(?!.*(useQueries|useIsFetching|queriesObserver|utation|nfiniteQuery(?!Behavior)))',
    'node_modules/@mantine/core/esm/core/MantineProvider/(Mantine.context|MantineThemeProvider/MantineThemeProvider)',
    'vite/preload-helper',
  ].join('|'),
);

/** What the first page shares with later ones, in one chunk too: small ones hardly compress. */
const SHARED = new RegExp(
  [
    'web/(api/|errors/(report|retry)|session/(session|queries|stored-keys|typed-memory|drafts|refreshing-rights|paths|clinical-setting|preferences|switch-team)\\.)',
    'web/ui/(back-button|refresh-button|forget|format/|store|shortcuts|commands|command-keys|pager|plain/|toasts\\.tsx|announcer|use-(?!return-focus|debounced|growing)|density|menu\\.|divider)',
    'web/(session/ehr-frame|shell/(pages|use-widget-here)\\.|support/launcher|filters/(group-select|panel-button|use-filter)|lists/(list-|rows-select|sort-|work-|use-last-page|use-throttled)|patient/(event-|identity-|part2-|patient-query|phrases|use-similar-names)|reviews/review-queries|pre-admit/holding-groups|saved-filters/filter-menu)',
    'contract/(event-codes|management-status)\\.',
    'web/(rosters/roster-groups|ui/focus-free)\\.',
    'web/inbox/(card|inbox-queries|inbox-search|ping-badges|status-change|use-status-changes)\\.',
    'icons/Icon(Activity|AlertTriangle|AlertOctagonFilled|ArrowLeft|Check|ChevronDown|Circle|Clock|Download|HandStop|HourglassHigh|Inbox|News|InfoCircle|PlayerPause|RotateClockwise2|Search|TrendingUp|Users?|X)',
  ].join('|'),
);

/** Chunks that the entry point imports. */
const EVERYWHERE = /\/(index|frame|shared|rolldown-runtime)-/;

/** Builds the pages into `dist/web`. In development, a running server answers the API (`TIDINGS_API`). */
export default defineConfig({
  root: import.meta.dirname,
  plugins: [mantineLater, mutationsLater, plainIcons, react(), firstScript, compressed],
  // Names of a length that the first page can afford.
  css: { modules: { generateScopedName: (name, file) => `${basename(file, '.module.css')}_${name}` } },
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    manifest: true,
    target: 'es2023',
    assetsInlineLimit: 0,
    // A chunk must not preload itself: a second request for it would make six tries of five. What every page has is there already.
    modulePreload: {
      polyfill: false,
      resolveDependencies: (file, needed, { hostType }) =>
        hostType === 'html' ? needed : needed.filter((one) => one !== file && !EVERYWHERE.test(one)),
    },
    rolldownOptions: {
      output: {
        // Long enough to tell versions of a file apart. The first page names all later ones, and hashes don't compress.
        chunkFileNames: 'assets/[name]-[hash:7].js',
        assetFileNames: 'assets/[name]-[hash:7][extname]',
        codeSplitting: {
          groups: [
            // What a module imports without using it would come too.
            { name: 'frame', test: FRAME, includeDependenciesRecursively: false },
            { name: 'shared', test: SHARED },
            { name: 'parts', minShareCount: 20 },
          ],
        },
      },
    },
  },
  // The modules of web/api/ are served under the same path as the API, but end in .ts.
  server: { port: 5173, proxy: { '^/api/(?!.*\\.ts(\\?|$))': api, '/fhir': api, '/healthz': api, '/readyz': api } },
});
