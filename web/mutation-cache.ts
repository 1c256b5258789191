/**
 * TanStack Query's cache of mutations. Its code loads with the first part of a page that has a mutation (vite-mutations.ts): the first page
 * only reads.
 */
import type { MutationCache as Cache } from '@tanstack/react-query';

type Config = ConstructorParameters<typeof Cache>[0];

let RealCache: typeof Cache | undefined;

export const provide = (cache: typeof Cache): void => {
  RealCache = cache;
};

/** What a QueryClient and the observers of mutations call. */
export class MutationCache {
  readonly #config: Config;
  #real: Cache | undefined;

  constructor(config?: Config) {
    this.#config = config;
  }

  get #cache(): Cache {
    if (!RealCache) throw new Error('A mutation without its code.');
    return (this.#real ??= new RealCache(this.#config));
  }

  build: Cache['build'] = (...mutation) => this.#cache.build(...mutation);
  notify: Cache['notify'] = (event) => this.#cache.notify(event);
  // Before the first mutation there is nothing to clear, to find or to resume.
  clear: Cache['clear'] = () => this.#real?.clear();
  findAll: Cache['findAll'] = (filters) => this.#real?.findAll(filters) ?? [];
  resumePausedMutations: Cache['resumePausedMutations'] = async () => this.#real?.resumePausedMutations();
}
