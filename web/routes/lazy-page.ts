import { type ComponentType, createElement } from 'react';
import { loadChunk } from '../errors/load-chunk.ts';
import type { PageComponent } from '../router/routes.ts';

/** A page that is loaded on demand, with five tries. If it can't be loaded, an error is shown in its place. */
const lazyPage = (id: string, load: () => Promise<ComponentType>): PageComponent => {
  let loaded: ComponentType | undefined;
  let failure: unknown;
  let loading: Promise<void> | undefined;
  const Page: PageComponent = () => {
    if (!loaded) throw failure;
    return createElement(loaded);
  };
  Page.preload = () =>
    (loading ??= loadChunk(id, load).then(
      (component) => {
        loaded = component;
        delete Page.preload;
      },
      (error: unknown) => {
        failure = error;
        loading = undefined;
      },
    ));
  return Page;
};

/** Returns a function that makes such pages, one for each id, of a chunk that knows how they are loaded. */
export const pagesOf = <Id extends string>(chunk: () => Promise<Record<Id, () => Promise<ComponentType>>>) => {
  const pages = new Map<Id, PageComponent>();
  return (id: Id): PageComponent => {
    const page = pages.get(id) ?? lazyPage(id, async () => (await chunk())[id]());
    pages.set(id, page);
    return page;
  };
};
