import { type ComponentType, createElement } from 'react';
import { loadChunk } from '../errors/load-chunk.ts';
import type { PageComponent } from '../router/routes.ts';

/** A page that is loaded on demand, with five tries. If it can't be loaded, an error is shown in its place. */
export const lazyPage = <K extends string>(
  id: string,
  load: () => Promise<Record<K, ComponentType>>,
  name: K,
): PageComponent => {
  let loaded: ComponentType | undefined;
  let failure: unknown;
  let loading: Promise<void> | undefined;
  const Page: PageComponent = () => {
    if (!loaded) throw failure;
    return createElement(loaded);
  };
  Page.preload = () =>
    (loading ??= loadChunk(id, load).then(
      (file) => {
        loaded = file[name];
        delete Page.preload;
      },
      (error: unknown) => {
        failure = error;
        loading = undefined;
      },
    ));
  return Page;
};
