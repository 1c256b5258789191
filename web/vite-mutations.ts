import { join } from 'node:path';
import type { Plugin } from 'vite';

const LATER = join(import.meta.dirname, 'mutation-cache.ts');
const CACHE = './mutationCache.js';
/** What makes a cache of mutations, or passes its class on. */
const MAKERS = /\/query-core\/build\/modern\/(queryClient|index)\.js$/;
const OBSERVER = /\/query-core\/build\/modern\/mutationObserver\.js$/;

/** Has TanStack Query's mutations come with whatever observes one, instead of with the first page. */
export const mutationsLater: Plugin = {
  name: 'mutations-later',
  apply: 'build',
  enforce: 'pre',
  resolveId: (source, importer) => (source === CACHE && importer && MAKERS.test(importer) ? LATER : undefined),
  transform: (code, id) =>
    OBSERVER.test(id)
      ? {
          code: `import { MutationCache } from '${CACHE}';\nimport { provide } from ${JSON.stringify(LATER)};\nprovide(MutationCache);\n${code}`,
          map: null,
        }
      : undefined,
};
