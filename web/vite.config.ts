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
    const path = join(dir, 'first.js');
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

/** Chunks that the entry point imports. */
const EVERYWHERE = /\/(react|app|rolldown-runtime)-/;

/** Builds the pages into `dist/web`. In development, a running server answers the API (`TIDINGS_API`). */
export default defineConfig({
  root: import.meta.dirname,
  plugins: [mantineLater, mutationsLater, plainIcons, react(), firstScript, compressed],
  // Names of a length that the first page can afford.
  css: { modules: { generateScopedName: (name, file) => `${basename(file, '.module.css')}_${name}` } },
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
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
            // Releases seldom change it.
            { name: 'react', test: /node_modules\/(react|react-dom|scheduler)\// },
            // All that it imports comes with it. A style sheet for each of several chunks would be one more request.
            { name: 'app', test: /web\/main\.tsx/ },
            { name: 'parts', minShareCount: 20 },
          ],
        },
      },
    },
  },
  // The modules of web/api/ are served under the same path as the API, but end in .ts.
  server: { port: 5173, proxy: { '^/api/(?!.*\\.ts(\\?|$))': api, '/fhir': api, '/healthz': api, '/readyz': api } },
});
